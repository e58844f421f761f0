"""The double-entry books: purses, postings, the journal of tables and the histories of wallets."""
