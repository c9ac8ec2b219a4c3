"""Write the weights' vocabulary as a tokenizer in the format fastembed loads."""

from __future__ import annotations

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from retrieval.embedded_model.weights import Vocabulary

_SPACE = "▁"
"""What stands for the space before a word in the vocabulary."""


def build_tokenizer(vocabulary: Vocabulary) -> Tokenizer:
    """Give multilingual-e5's tokenizer: NFKC, words, then the likeliest pieces, between `<s>` and `</s>`."""
    scored = list(zip(vocabulary.pieces, vocabulary.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(scored, unk_id=vocabulary.unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(_SPACE, prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(_SPACE, prepend_scheme="always")
    tokenizer.post_processor = _between_marks(vocabulary)
    tokenizer.add_special_tokens(_special_tokens(vocabulary))
    return tokenizer


def _between_marks(vocabulary: Vocabulary) -> processors.TemplateProcessing:
    start, end = vocabulary.pieces[vocabulary.start], vocabulary.pieces[vocabulary.end]
    return processors.TemplateProcessing(
        single=f"{start} $A {end}", pair=None, special_tokens=[(start, vocabulary.start), (end, vocabulary.end)]
    )


def _special_tokens(vocabulary: Vocabulary) -> list[AddedToken]:
    ids = (vocabulary.start, vocabulary.padding, vocabulary.end, vocabulary.unknown)
    return [AddedToken(vocabulary.pieces[number], special=True, normalized=False) for number in ids]
