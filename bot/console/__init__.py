"""The terminal: the third platform. It reads lines, asks the core, and renders what comes back."""
