### What the oracle itself says: the whole text of answers that no language model writes, and the notices under answers.

answer-small-talk-greeting = Hi! Ask me anything about the wiki, or type a couple of words and I will find the pages.
answer-small-talk-thanks = You're welcome! I'm here if anything else comes up.
answer-small-talk-farewell = See you!
answer-small-talk-identity = I'm Oráculo. I read your team's wiki and answer with what it says, always citing the pages; when I don't know, I say so.
answer-small-talk-help =
    I can do two things:

    - **Answer**: ask me a question ("How do I add a source?") and I answer citing the wiki's pages. You can then keep asking about the same thing.
    - **Search**: type a few words ("markdown sources") and I list the pages that hold them.

    Start with `/buscar` to search or `/preguntar` to ask. What the wiki does not tell, I do not make up.
answer-empty = No text reached me. Ask me a question, or type a couple of words and I will find the pages.
answer-too-long = Your question has { $length } characters and I can read up to { $limit }. Could you shorten it?
answer-abstained = I have no clear information about that, so I would rather not make it up. These are the closest pages I found:
answer-no-matches = I found nothing about that in the wiki. Try other words; if it should be there, it is a gap that deserves a page.
answer-listed =
    { $total ->
        [one] 1 page with those words:
       *[other] { $total } pages with those words:
    }
answer-nothing-listed = No page holds those words.
answer-quotes = This is what the pages say:
answer-completed = My answer broke off here. This is what the pages say:
answer-failed = Something went wrong and I could not answer. Try again in a moment; the error has been logged.
answer-no-index = I have not read the wiki yet: `oraculo ingest` has to run first.
answer-damaged-index = The wiki's index is damaged and I will not use it. `oraculo ingest --full` mends it.
answer-no-embedding = I cannot load the model that understands questions. `oraculo doctor` tells what is missing; meanwhile `/buscar` works.

extractive = No language model: these are the pages' own sentences.
model-failed = The language model could not finish; what stands in quotation marks are the pages' own sentences.
over-budget = Today's token budget is spent: these are the pages' own sentences.
uncited = This answer leans on no page; the ones below are only the closest.
unfinished = The answer reached its length limit and ends early.
too-long = You can split it into several questions in the same conversation.
