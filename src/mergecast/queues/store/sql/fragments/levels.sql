-- Every row once for the whole (0), once for its queue (1) and once for its interval (2).
cross join (select 0 as level union all select 1 union all select 2) as levels
