/**
 * The keywords of DuckDB 1.5 with the places in which its parser does not accept them; none is an alias without AS.
 * `test/language/sql/reader-words.test.ts` tries each word in each place again.
 */
import { cannotBe, sqlWords } from '../../sql/grammar.ts'

export const grammarWords = sqlWords(
  `
  abort absolute access action add admin after aggregate all/nt also alter always analyse/nft analyze/nft
  and/nft anti/nf any/nft array/nft as/nft asc/nft asof/n assertion assignment asymmetric/nft at/n attach
  attribute authorization/n backward before begin between/ft bigint/f binary/n bit/f boolean/f both/nft by/nf
  cache call called cascade cascaded case/nft cast/nft catalog centuries century chain char/f character/f
  characteristics check/nft checkpoint class close cluster coalesce/t collate/nft collation/n column/nft
  columns comment comments commit committed compression concurrently/n configuration conflict connection
  constraint/nft constraints content continue conversion copy cost create/nft cross/n csv cube current cursor
  cycle data database day days deallocate dec/f decade decades decimal/f declare default/nft defaults
  deferrable/nft deferred definer delete delimiter delimiters depends desc/nft describe/nft detach dictionary
  disable discard distinct/nt do/nft document domain double drop each else/nft enable encoding encrypted
  end/nft enum error escape event except/nft exclude excluding exclusive execute exists/ft explain export
  export_state extension extensions external extract/ft false/nft family fetch/nft filter first float/f
  following for/nft force foreign/nft forward freeze/n from/nft full/n function functions generated/t glob/n
  global grant granted group/nft grouping/t grouping_id/t groups handler having/nft header hold hour hours
  identity if/f ignore ilike/n immediate immutable implicit import in/nft include including increment index
  indexes inherit inherits initially/nft inline inner/n inout/ft input insensitive insert install instead
  int/f integer/f intersect/nft interval into/nft invoker is/n isnull/n isolation join/n json key label
  lambda/nft language large last lateral/nft leading/nft leakproof left/n level like/n limit/nft listen load
  local location lock locked logged macro map/t mapping match matched materialized maxvalue merge method
  microsecond microseconds millennia millennium millisecond milliseconds minute minutes minvalue mode month
  months move name names national/ft natural/n nchar/f new next no none/ft not/nt nothing notify notnull/n
  nowait null/nft nullif/ft nulls numeric/f object of off offset/nft oids old on/nft only/nft operator/f
  option options or/nft order/nft ordinality others out/ft outer/n over overlaps/n overlay/ft overriding owned
  owner parallel parser partial partition partitioned passing password percent persistent pivot/nft
  pivot_longer/nft pivot_wider/nft placing/nft plans policy position/ft positional/n pragma preceding
  precision/ft prepare prepared preserve primary/nft prior privileges procedural procedure program publication
  qualify/nft quarter quarters quote range read real/f reassign recheck recursive ref references/nft
  referencing refresh reindex relative release rename repeatable replace replica reset respect restart
  restrict returning/nft returns revoke right/n role rollback rollup row/t rows rule sample savepoint schema
  schemas scope scroll search second seconds secret security select/nft semi/nf sequence sequences
  serializable server session set setof/ft sets share show/nft similar/n simple skip smallint/f snapshot
  some/nft sorted source sql stable standalone start statement statistics stdin stdout storage stored strict
  strip struct/t subscription substring/t summarize/nft symmetric/nft sysid system table/nft tables
  tablesample/n tablespace target temp template temporary text then/nft ties time/f timestamp/f to/nft
  trailing/nft transaction transform treat/ft trigger trim/t true/nft truncate trusted try_cast/f type types
  unbounded uncommitted unencrypted union/nft unique/nft unknown unlisten unlogged unpack/n unpivot/nft until
  update use user using/nft vacuum valid validate validator value values/ft varchar/f variable variadic/nft
  varying verbose/n version view views virtual volatile week weeks when/nft where/nft whitespace window/nft
  with/nft within without work wrapper write xml xmlattributes/ft xmlconcat/ft xmlelement/ft xmlexists/ft
  xmlforest/ft xmlnamespaces/ft xmlparse/ft xmlpi/ft xmlroot/ft xmlserialize/ft xmltable/ft year years yes
  zone`,
  cannotBe.bareAlias,
)
