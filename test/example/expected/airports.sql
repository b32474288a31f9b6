SELECT iata, name AS airport_name, city, state AS state_code, country, latitude, longitude FROM raw_airports
