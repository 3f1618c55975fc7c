"""The wing that watches: finds what is wrong with queues, says how repositories stand, and sends notices."""
