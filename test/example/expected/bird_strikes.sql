SELECT
  "Flight Date" AS flight_date,
  "Airport Name" AS airport_name,
  "Origin State" AS state_name,
  "Aircraft Make Model" AS aircraft,
  regexp_replace("Aircraft Airline Operator", '^\*+|\*+$', '', 'g') AS operator,
  if("Effect Amount of damage" = 'B', 'Medium', if("Effect Amount of damage" = 'C', 'Minor', "Effect Amount of damage")) AS damage,
  "Phase of flight" AS phase,
  "Wildlife Size" AS wildlife_size,
  "Wildlife Species" AS species,
  "Cost Total $" AS cost_usd,
  "Speed IAS in knots" AS speed_knots
FROM raw_strikes
