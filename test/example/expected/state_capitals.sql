SELECT state AS state_name, city AS capital, lat AS latitude, lon AS longitude FROM raw_capitals
