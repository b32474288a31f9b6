SELECT code AS state_code, name AS state_name, region FROM state_list
