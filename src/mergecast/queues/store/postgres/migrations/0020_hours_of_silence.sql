-- oldest program: 1
--
-- How long a source may be silent is counted in hours; values that were set as a number of expected events mean something else.
delete from thresholds where name = 'source_silent';
