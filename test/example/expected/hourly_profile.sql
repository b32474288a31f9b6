WITH grouped AS (
  SELECT hour(date)::INTEGER AS hour,
    CASE WHEN delay < 0 THEN 1 WHEN delay < 15 THEN 2 WHEN delay < 60 THEN 3 WHEN delay < 180 THEN 4 ELSE 5 END AS place,
    count(*) AS flights
  FROM raw_flights GROUP BY ALL
)
SELECT g.hour AS departure_hour,
  ['early', 'on time', 'late', 'very late', 'lost day'][g.place] AS band,
  g.flights AS flight_count,
  round(100.0 * g.flights / (SELECT sum(o.flights) FROM grouped o WHERE o.hour = g.hour), 2) AS share_percent,
  (SELECT count(*) FROM grouped o WHERE o.hour = g.hour AND o.place <= g.place) AS position
FROM grouped g
