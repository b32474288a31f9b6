-- The columns of the tables that the statements read: a name and a type a line, below the name of each table.
things
id bigint
small smallint
n integer
rate double precision
ratio real
amount numeric(12,2)
total numeric
price money
flag boolean
name text
title character varying(40)
code character(3)
bin bytea
placed date
tod time without time zone
todz time with time zone
at timestamp without time zone
paid timestamp with time zone
took interval
uid uuid
doc jsonb
raw json
note xml
tags text[]
grid integer[]
days date[]
span int4range
priced numrange
during tstzrange
booked daterange
spans int4multirange
pt point
ln lseg
area box
trail path
poly polygon
round circle
ip inet
net cidr
mac macaddr
mac8 macaddr8
bits bit(8)
vbits bit varying(16)
words tsvector
query tsquery

people
id bigint
name text
born date
boss bigint
city text
score numeric(6,2)
