WITH traffic AS (
  SELECT a.iata, a.name, s.name AS state_name, ifnull(s.region, 'Elsewhere') AS region,
    (SELECT count(*) FROM raw_flights f WHERE f.origin = a.iata) AS departures,
    (SELECT count(*) FROM raw_flights f WHERE f.destination = a.iata) AS arrivals,
    (SELECT count(*) FROM raw_flights f WHERE f.origin = a.iata AND f.delay >= 15) AS late,
    (SELECT sum(f.delay) FROM raw_flights f WHERE f.origin = a.iata) AS delay
  FROM raw_airports a LEFT JOIN state_list s ON s.code = a.state
)
SELECT t.iata, t.name AS airport_name, t.state_name, t.region, t.departures, t.arrivals,
  if(t.departures = 0, NULL, round(100.0 * t.late / t.departures, 1)) AS late_percent,
  if(t.departures = 0, NULL, round(t.delay / t.departures, 2)) AS average_delay,
  1 + (SELECT count(*) FROM traffic o
       WHERE o.region = t.region AND o.departures + o.arrivals > 0
         AND (o.departures > t.departures OR (o.departures = t.departures AND o.iata < t.iata))) AS region_rank
FROM traffic t
WHERE t.departures + t.arrivals > 0
