WITH days AS (
  SELECT date::DATE AS day, count(*) AS flights, countif(delay >= 15) AS late, sum(delay)::BIGINT AS delay
  FROM raw_flights GROUP BY 1
)
SELECT d.day AS flight_day, d.flights AS flight_count, d.late::BIGINT AS late_count,
  round(d.delay / d.flights, 2) AS average_delay,
  round((SELECT sum(w.delay) / sum(w.flights) FROM days w WHERE w.day BETWEEN d.day - 6 AND d.day), 2) AS weekly_delay,
  1 + (SELECT count(*) FROM days w WHERE w.delay / w.flights > d.delay / d.flights) AS worst_rank
FROM days d
