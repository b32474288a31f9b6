/** The sentences of docs/hosted/glossary.md. */
import { by, type PageEntries } from './held.ts'

const confFile = 'hosted/conformance.test.ts'
const docFile = 'hosted/openapi/document.test.ts'
const projFile = 'hosted/projects/projects.test.ts'
const listsFile = 'hosted/glossary/lists.test.ts'
const termsFile = 'hosted/glossary/terms.test.ts'
const kindsFile = 'hosted/glossary/kinds.test.ts'
const psFile = 'hosted/page-sentences.test.ts'
const colsFile = 'hosted/glossary/link-columns.test.ts'
const gchFile = 'hosted/glossary/changes.test.ts'
const searchFile = 'hosted/glossary/search.test.ts'
const exFile = 'hosted/glossary/exchange.test.ts'
const limFile = 'hosted/security/limits.test.ts'
const tagsFile = 'hosted/http/tags.test.ts'
const bulkFile = 'hosted/glossary/bulk.test.ts'
const sameFile = 'hosted/questions/same-answers.test.ts'
const matFile = 'hosted/security/matrix.test.ts'

export const glossaryPage: PageEntries = {
  page: 'glossary.md',
  held: {
    'a0971f svc-hosted stores terms, metrics, dimensions,': by(
      confFile,
      'GET /api/svc/glossary/%s is the list',
      'every call carries Authorization: Bearer <token>',
    ),
    '369899 /docs and /openapi.json of a': by(
      docFile,
      'describes itself',
      'has every route once, and nothing else',
      'has every operation',
    ),
    'a4b4b2 A new database has project': by(projFile, 'a fresh database has project 1'),
    'a32857 All examples below send Authorization:': [
      ...by(confFile, 'POST calls carry Content-Type: application/json'),
      ...by(listsFile, 'slashes at the end do not count'),
    ],
    '811637 id in a request body': by(confFile, 'POST /api/svc/glossary/terms/ makes a term'),
    '1e22a1 In responses id is always': by(confFile, 'the term holds an integer record id'),
    '77042a Without one, the record gets': by(termsFile, 'get an identifier of their name, another one each'),
    'cfe433 warnings in a response are': by(
      kindsFile,
      'warns of a name that is taken, of an identifier beside the convention',
      'a metric completes its source assets from its SQL',
    ),
    '1b0401 term /api/svc/glossary/terms project , name': [
      ...by(
        confFile,
        'POST /api/svc/glossary/terms/ makes a term',
        'a new term needs its project and its name',
      ),
      ...by(psFile, 'each kind takes the fields of its row, and needs those it says'),
    ],
    '045458 metric /api/svc/glossary/metrics project , name': by(
      psFile,
      'each kind takes the fields of its row, and needs those it says',
    ),
    '54c403 dimension /api/svc/glossary/dimensions project , name': by(
      psFile,
      'each kind takes the fields of its row, and needs those it says',
    ),
    '9bc2cb policy /api/svc/glossary/policies project , name': by(
      psFile,
      'each kind takes the fields of its row, and needs those it says',
    ),
    '8fc76e link /api/svc/glossary/links term , asset': by(
      psFile,
      'a link takes the fields of its row, and needs a term and an asset',
    ),
    '606e78 A link connects a term': by(
      kindsFile,
      'a link does not reach into another project',
      'a key needs a column',
    ),
    '28a43b The assets are those that': by(colsFile, 'is checked in bulk calls, imports and packs'),
    'd89bb5 A column that the asset': by(
      colsFile,
      'is refused where the asset has no such column, with the near one',
      'is not named to a token that may not read metadata',
    ),
    'e0c8d1 Where not all columns of': [
      ...by(colsFile, 'is taken with a warning where not all are known: %s'),
      ...by(psFile, 'a bulk call takes any column where not all are known, and does not say it'),
    ],
    '332423 An unknown member is refused': by(
      kindsFile,
      'what is said wrong is told at once, with the nearest right name',
    ),
    'eb9c82 GET /api/svc/glossary/terms/12 one record': by(termsFile, 'are created, read and listed'),
    '3bb99b GET /api/svc/glossary/terms/term.customer?project=1 the same, by': by(
      kindsFile,
      'names of every script have an identifier',
    ),
    '859203 GET /api/svc/glossary/terms?project=1 an array, oldest': by(
      listsFile,
      'are plain arrays in the order of creation',
      'without a project cover what the token sees',
    ),
    '0ae909 GET /api/svc/glossary/terms?q=cust&status=draft,approved&sort=-updated_at&limit=50 filtered, sorted, 50':
      by(
        listsFile,
        'status=approved,in_review',
        'sort by bytes, the same on every engine',
        'come in pages that stay right while records come',
      ),
    '6489a7 GET /api/svc/glossary/terms/12/versions , …/versions/3 the': by(
      gchFile,
      'versions say what changed, and what was before',
    ),
    '680257 GET /api/svc/search?q=customer searches all kinds,': by(
      searchFile,
      'finds what is called so first, then what begins so, then the rest',
      'shows assets to tokens that may read them, and no answer of theirs to others',
    ),
    '584a86 GET /api/svc/glossary/projects/1/export the whole glossary;': by(
      exFile,
      'has what the contract shows',
      'comes back from %s as it was',
    ),
    'bb8bb1 A page has 1,000 items,': [
      ...by(listsFile, 'have 1,000 items a page, and no more on any wish'),
      ...by(limFile, 'make several pages of a list and of versions, of which none is missing'),
    ],
    '640fb8 Link: <…>; rel="next" is the': by(
      listsFile,
      'come in pages that stay right while records come',
      'are plain arrays in the order of creation',
    ),
    '1dba91 With Accept: application/vnd.svc.page+json a list': by(
      listsFile,
      'come as an envelope for who asks for it',
    ),
    '3e45d7 fields=id,name returns only these members;': by(
      listsFile,
      'show only the members that were asked for',
      'deleted records are shown to who asks for them',
    ),
    '5d2234 Paging stays consistent while records': [
      ...by(listsFile, 'come in pages that stay right while records come'),
      ...by(psFile, 'pages stay right while records are deleted'),
    ],
    '7fb075 Answers about one project have': [
      ...by(tagsFile, '%s is as it is described'),
      ...by(gchFile, 'the same GET is answered with 304, until something changes'),
    ],
    'caa1e0 Answers about several projects (a': by(tagsFile, 'is missing where the page says so'),
    '9ebf8b PATCH /api/svc/glossary/terms/12 changes the members': by(
      gchFile,
      'PATCH changes what it names',
      'PATCH with a JSON patch, too',
    ),
    '60fb6e PUT /api/svc/glossary/terms/12 replaces the record;': by(
      gchFile,
      'PUT replaces the whole record',
    ),
    'd03afc PUT /api/svc/glossary/terms/term.customer?project=1 the same; creates': by(
      gchFile,
      'PUT under an identifier creates, then replaces',
    ),
    '354db5 DELETE /api/svc/glossary/terms/12 hides the record': by(
      gchFile,
      'a term with links is deleted with them or not at all, and comes back with them',
    ),
    '5dc2ac POST /api/svc/glossary/terms/12/restore restores it, with': by(
      gchFile,
      'a term with links is deleted with them or not at all, and comes back with them',
    ),
    '5d55f2 DELETE /api/svc/glossary/terms/12?purge=true deletes it with': [
      ...by(gchFile, 'purge leaves nothing'),
      ...by(psFile, 'a purge needs projects:admin'),
    ],
    '08c884 POST /api/svc/glossary/terms/bulk creates up to': by(
      bulkFile,
      'create, replace and leave alone',
      'refuse %#',
    ),
    '1a7c20 POST /api/svc/glossary/projects/1/import an export of': by(
      exFile,
      'comes back from %s as it was',
      'takes what the command line exports',
    ),
    '0d815e With If-Match: "v3" a change': by(
      gchFile,
      'If-Match lets the version through that was read, and no other',
    ),
    'c7c543 A request that changes nothing': by(gchFile, 'a change that changes nothing is no version'),
    'e2f0a5 Bulk calls and imports are': [
      ...by(
        bulkFile,
        'do nothing when something is wrong, and say all of it',
        'do what can be done, when that is asked for',
        'only tell what would be done, in a dry run',
      ),
      ...by(exFile, 'does nothing when something is wrong, or when it is dry'),
    ],
    '72be0e Links of an import whose': [
      ...by(exFile, 'takes what the command line exports'),
      ...by(colsFile, 'is checked in bulk calls, imports and packs'),
    ],
    '38d9fd GET /api/svc/projects lists the projects': [
      ...by(projFile, 'are created, renamed and listed'),
      ...by(sameFile, 'show each token its own projects'),
    ],
    '572f1d POST , PATCH , DELETE': [
      ...by(matFile, 'is for who has its scope'),
      ...by(projFile, 'take all that they hold out of sight, and bring it back'),
    ],
    'a25d7c Deleting a project hides everything': by(
      projFile,
      'take all that they hold out of sight, and bring it back',
    ),
  },
  explains: [],
}
