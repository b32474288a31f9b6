SELECT a.iata, a.name AS airport_name, a.city, a.state AS state_code,
  (SELECT s.name FROM state_list s WHERE s.code = a.state) AS state_name,
  ifnull((SELECT s.region FROM state_list s WHERE s.code = a.state), 'Elsewhere') AS region,
  a.city = (SELECT k.city FROM raw_capitals k JOIN state_list s ON s.name = k.state WHERE s.code = a.state) AS is_capital,
  a.latitude, a.longitude
FROM raw_airports a
