WITH departed AS (
  SELECT date_trunc('month', f.date)::DATE AS month, ifnull(s.region, 'Elsewhere') AS region, count(*) AS flights,
    countif(f.delay >= 15) AS late
  FROM raw_flights f JOIN raw_airports a ON a.iata = f.origin LEFT JOIN state_list s ON s.code = a.state
  WHERE f.date < TIMESTAMP '2001-07-01' GROUP BY ALL
), seen AS (
  SELECT month, region, count(DISTINCT iata) AS airports
  FROM (
    SELECT date_trunc('month', date)::DATE AS month, unnest([origin, destination]) AS iata FROM raw_flights
    WHERE date < TIMESTAMP '2001-07-01'
  ) JOIN raw_airports a USING (iata) LEFT JOIN (SELECT code, region FROM state_list) s ON s.code = a.state
  GROUP BY month, region
)
SELECT seen.month AS month_start, ifnull(seen.region, 'Elsewhere') AS region, ifnull(now.flights, 0)::BIGINT AS departures,
  seen.airports AS airport_count,
  if(ifnull(now.flights, 0) = 0, NULL, round(100.0 * now.late / now.flights, 1)) AS late_percent,
  ifnull(now.flights, 0)::BIGINT - (
    SELECT ifnull(before.flights, 0)::BIGINT FROM seen AS earlier
    LEFT JOIN departed AS before ON before.month = earlier.month AND before.region = ifnull(earlier.region, 'Elsewhere')
    WHERE ifnull(earlier.region, 'Elsewhere') = ifnull(seen.region, 'Elsewhere') AND earlier.month < seen.month
    ORDER BY earlier.month DESC LIMIT 1
  ) AS departures_change
FROM seen
LEFT JOIN departed AS now ON now.month = seen.month AND now.region = ifnull(seen.region, 'Elsewhere')
