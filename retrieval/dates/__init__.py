"""Reading dates in Spanish and English: what `retrieval.periods` and `retrieval.ingest.text_dates` are made of."""
