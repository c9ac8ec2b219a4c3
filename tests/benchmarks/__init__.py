"""What `make bench` runs: speed, memory and quality on real corpora, each beside its yardstick in the same run."""
