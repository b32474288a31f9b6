-- The raw files as they are, and the two lists that the example keeps in its own files.
CREATE TEMP VIEW raw_flights AS FROM read_parquet('$data/flights-3m.parquet');
CREATE TEMP VIEW raw_airports AS FROM read_csv('$data/airports.csv', header = true);
CREATE TEMP VIEW raw_strikes AS FROM read_csv('$data/birdstrikes.csv', header = true);
CREATE TEMP VIEW raw_weather AS FROM read_csv('$data/weather.csv', header = true);
CREATE TEMP VIEW raw_capitals AS FROM read_json('$data/us-state-capitals.json');
CREATE TEMP TABLE raw_quakes AS
  SELECT feature.id, feature.properties AS p, feature.geometry.coordinates AS c
  FROM (SELECT unnest(features) AS feature FROM read_json('$data/earthquakes.json', maximum_object_size = 100000000));
CREATE TEMP TABLE state_list AS
  SELECT col0 AS code, col1 AS name, col2 AS region
  FROM (VALUES
    ('CT','Connecticut','Northeast'), ('MA','Massachusetts','Northeast'), ('ME','Maine','Northeast'),
    ('NH','New Hampshire','Northeast'), ('NJ','New Jersey','Northeast'), ('NY','New York','Northeast'),
    ('PA','Pennsylvania','Northeast'), ('RI','Rhode Island','Northeast'), ('VT','Vermont','Northeast'),
    ('IA','Iowa','Midwest'), ('IL','Illinois','Midwest'), ('IN','Indiana','Midwest'), ('KS','Kansas','Midwest'),
    ('MI','Michigan','Midwest'), ('MN','Minnesota','Midwest'), ('MO','Missouri','Midwest'),
    ('ND','North Dakota','Midwest'), ('NE','Nebraska','Midwest'), ('OH','Ohio','Midwest'),
    ('SD','South Dakota','Midwest'), ('WI','Wisconsin','Midwest'),
    ('AL','Alabama','South'), ('AR','Arkansas','South'), ('DC','DC','South'), ('DE','Delaware','South'),
    ('FL','Florida','South'), ('GA','Georgia','South'), ('KY','Kentucky','South'), ('LA','Louisiana','South'),
    ('MD','Maryland','South'), ('MS','Mississippi','South'), ('NC','North Carolina','South'),
    ('OK','Oklahoma','South'), ('SC','South Carolina','South'), ('TN','Tennessee','South'), ('TX','Texas','South'),
    ('VA','Virginia','South'), ('WV','West Virginia','South'),
    ('AZ','Arizona','Mountain'), ('CO','Colorado','Mountain'), ('ID','Idaho','Mountain'), ('MT','Montana','Mountain'),
    ('NM','New Mexico','Mountain'), ('NV','Nevada','Mountain'), ('UT','Utah','Mountain'), ('WY','Wyoming','Mountain'),
    ('AK','Alaska','Pacific'), ('CA','California','Pacific'), ('HI','Hawaii','Pacific'), ('OR','Oregon','Pacific'),
    ('WA','Washington','Pacific'),
    ('AS','American Samoa','Islands'), ('CQ','Northern Mariana Islands','Islands'), ('GU','Guam','Islands'),
    ('PR','Puerto Rico','Islands'), ('VI','Virgin Islands','Islands')
  );
