"""The adapters: each connects one platform. An adapter translates, and decides nothing."""
