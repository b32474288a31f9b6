WITH place AS (
  SELECT a.iata, a.latitude, a.longitude, ifnull(s.region, 'Elsewhere') AS region
  FROM raw_airports a LEFT JOIN state_list s ON s.code = a.state
), traffic AS (
  SELECT region, iata, count(*) FILTER (way = 'out') AS departures
  FROM (SELECT unnest([{'iata': origin, 'way': 'out'}, {'iata': destination, 'way': 'in'}], recursive := true) FROM raw_flights)
  JOIN place USING (iata) GROUP BY ALL
), nearest AS (
  SELECT q.id, any_value(q.p.mag)::DOUBLE AS mag, min_by({'region': p.region, 'km': km}, (km, p.iata)) AS n
  FROM raw_quakes q JOIN place p ON abs(p.latitude - q.c[2]) < 2,
    LATERAL (SELECT 2 * 6371 * asin(sqrt(
      pow(sin(radians(p.latitude - q.c[2]) / 2), 2)
      + cos(radians(q.c[2])) * cos(radians(p.latitude)) * pow(sin(radians(p.longitude - q.c[1]) / 2), 2))) AS km)
  WHERE q.p.type = 'earthquake' GROUP BY q.id
), punctuality AS (
  SELECT region, date_trunc('month', date)::DATE AS month, round(100.0 * countif(delay >= 15) / count(*), 1) AS late
  FROM raw_flights JOIN place ON iata = origin WHERE date < TIMESTAMP '2001-07-01' GROUP BY ALL
)
SELECT t.region, count(*) AS airports, sum(t.departures)::BIGINT AS departures,
  (SELECT b.iata FROM traffic b WHERE b.region = t.region ORDER BY b.departures DESC LIMIT 1) AS busiest_airport,
  ifnull((SELECT sum(r."Cost Total $") FROM raw_strikes r JOIN state_list s ON s.name = r."Origin State"
          WHERE s.region = t.region), 0)::BIGINT AS strike_cost_usd,
  (SELECT count(*) FROM nearest WHERE n.region = t.region AND round(n.km, 1) <= 150) AS quakes,
  (SELECT max(mag) FROM nearest WHERE n.region = t.region AND round(n.km, 1) <= 150) AS strongest_quake,
  (SELECT p.month FROM punctuality p WHERE p.region = t.region ORDER BY p.late, p.month LIMIT 1) AS most_punctual_month
FROM traffic t GROUP BY t.region
