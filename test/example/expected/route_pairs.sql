SELECT least(origin, destination) AS origin, greatest(origin, destination) AS destination,
  countif(origin < destination)::BIGINT AS flights_out,
  countif(origin > destination)::BIGINT AS flights_back,
  round(sum(delay) FILTER (origin < destination) / countif(origin < destination), 2) AS delay_out,
  round(sum(delay) FILTER (origin > destination) / countif(origin > destination), 2) AS delay_back,
  (countif(origin < destination) - countif(origin > destination))::BIGINT AS imbalance
FROM raw_flights
WHERE origin <> destination
GROUP BY 1, 2
HAVING countif(origin < destination) > 0 AND countif(origin > destination) > 0
