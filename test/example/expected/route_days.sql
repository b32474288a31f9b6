SELECT date::DATE AS flight_day, origin, destination,
  count(*) AS flight_count,
  sum(if(delay >= 15, 1, 0))::BIGINT AS late_count,
  sum(delay)::BIGINT AS delay_total,
  sum(distance)::BIGINT AS miles_total
FROM raw_flights
GROUP BY 1, 2, 3
