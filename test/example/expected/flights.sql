SELECT date AS departed_at, date::DATE AS flight_day, origin, destination, delay AS delay_minutes, distance AS miles
FROM raw_flights
