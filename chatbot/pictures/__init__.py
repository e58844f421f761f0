"""Pictures of the cards that lie on a table, for doors that can show one."""
