-- oldest program: 1
--
-- The version of translation that a thread was translated with last, so that a later one translates it again: 0 if
-- that was not recorded, for example by an earlier program, and null for a thread that was never translated.

alter table threads add column translation integer default 0;
