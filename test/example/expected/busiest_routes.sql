WITH routes AS (
  SELECT origin, destination, count(*) AS flights, sum(delay) AS delay FROM raw_flights GROUP BY ALL
), ranked AS (
  SELECT r.*,
    (SELECT sum(o.flights) FROM routes o WHERE o.origin = r.origin) AS all_flights,
    1 + (SELECT count(*) FROM routes o
         WHERE o.origin = r.origin
           AND (o.flights > r.flights OR (o.flights = r.flights AND o.destination < r.destination))) AS place
  FROM routes r
)
SELECT origin, destination, flights AS flight_count, round(delay / flights, 2) AS average_delay, place AS place_in_list,
  round(100.0 * flights / all_flights, 1) AS share_percent
FROM ranked
WHERE place <= 5 AND all_flights >= 1000
