-- The version of translation that a thread was translated with last, so that a later one translates it again: 0 if
-- that was not recorded yet, and null for a thread that was never translated.

alter table threads add column translation integer default 0;
