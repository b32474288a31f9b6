/** The sentences of docs/hosted/reference.md, which is made from the program: here is what the program does of it. */
import { by, type PageEntries } from './held.ts'

const docFile = 'hosted/openapi/document.test.ts'
const rightsFile = 'hosted/access/rights.test.ts'
const pagesFile = 'docs/pages.test.ts'
const limFile = 'hosted/security/limits.test.ts'
const cmdFile = 'hosted/operation/commands.test.ts'
const confFile = 'hosted/conformance.test.ts'
const protFile = 'hosted/http/protocol.test.ts'
const matFile = 'hosted/security/matrix.test.ts'
const searchFile = 'hosted/glossary/search.test.ts'
const upFile = 'hosted/metadata/upload.test.ts'
const psFile = 'hosted/page-sentences.test.ts'
const guardFile = 'hosted/limits/json-guard.test.ts'
const sizeFile = 'hosted/security/sizes.test.ts'
const largeFile = 'hosted/security/large-bodies.test.ts'
const badFile = 'hosted/questions/bad-processes.test.ts'
const listsFile = 'hosted/glossary/lists.test.ts'
const tokFile = 'hosted/access/tokens.test.ts'
const termsFile = 'hosted/glossary/terms.test.ts'
const gchFile = 'hosted/glossary/changes.test.ts'
const cliFile = 'hosted/openapi/client.test.ts'
const claimsFile = 'hosted/metadata/claims.test.ts'
const kindsFile = 'hosted/glossary/kinds.test.ts'
const idemFile = 'hosted/access/idempotency.test.ts'
const bucketFile = 'hosted/limits/token-bucket.test.ts'
const fullFile = 'hosted/storage/full-disk.test.ts'

export const referencePage: PageEntries = {
  page: 'reference.md',
  held: {
    'ae410c Operations, requests and responses: /docs': by(docFile, 'describes itself'),
    '4cbd74 glossary:read read terms, metrics, dimensions,': by(
      matFile,
      'is for who has its scope',
      'has a scope for each route, and a route for each scope',
    ),
    'cb3b9d glossary:write create, change, delete, restore': by(
      matFile,
      'is for who has its scope',
      'has a scope for each route, and a route for each scope',
    ),
    '079942 metadata:read read manifests, assets, lineage,': [
      ...by(matFile, 'is for who has its scope', 'has a scope for each route, and a route for each scope'),
      ...by(searchFile, 'shows assets to tokens that may read them, and no answer of theirs to others'),
    ],
    'f2d491 metadata:upload upload context packs and': [
      ...by(matFile, 'is for who has its scope', 'has a scope for each route, and a route for each scope'),
      ...by(upFile, 'overwrites what people edited in the glossary only with the right to write there'),
    ],
    'f76fd8 projects:admin create, change and delete': by(
      matFile,
      'is for who has its scope',
      'has a scope for each route, and a route for each scope',
    ),
    'f20d34 tokens:admin make, list, rotate and': by(
      matFile,
      'is for who has its scope',
      'has a scope for each route, and a route for each scope',
    ),
    '5a537d audit:read read the audit log': by(
      matFile,
      'is for who has its scope',
      'has a scope for each route, and a route for each scope',
    ),
    '31dd2b A role stands for several': by(rightsFile, 'may be roles'),
    'eb388b reader : glossary:read , metadata:read': by(pagesFile, '%s is up to date (npm run docs)'),
    '3320ee editor : glossary:read , glossary:write': by(pagesFile, '%s is up to date (npm run docs)'),
    '79807c ci : glossary:read , metadata:read': by(rightsFile, 'may be roles'),
    '7e48ce admin : all of them': by(rightsFile, 'may be roles'),
    '167ed9 Options of svc-hosted serve ;': [
      ...by(limFile, 'holds where all are turned off'),
      ...by(cmdFile, '%s %s'),
    ],
    '9430e1 --rate-limit 600 reading requests a': by(limFile, 'has so many reads and writes a minute'),
    '56a7f8 --write-rate-limit 120 writing requests a': by(
      limFile,
      'has so many reads and writes a minute',
      'pays for the records of a bulk call',
    ),
    'f10ea1 --upload-rate-limit 30 uploads a minute': by(psFile, 'a token has so many uploads a minute'),
    'd74ca5 --failed-auth-limit 20 requests without a': by(
      limFile,
      'that is wrong has only so many tries, of one address',
    ),
    'de457c --max-body 1MiB a body, compressed': by(
      limFile,
      'is as long as is allowed, and not a byte longer',
      'is read compressed with %s, and cannot be a bomb',
    ),
    'd3e3ab --max-upload 64MiB the body of': by(
      psFile,
      'uploads and imports have limits of their own for their bodies',
    ),
    'fbd2a2 --max-import 8MiB the body of': by(
      psFile,
      'uploads and imports have limits of their own for their bodies',
    ),
    '766572 --max-depth 64 nested lists and': [
      ...by(guardFile, 'is as deep as is allowed, and no deeper'),
      ...by(protFile, 'the body %j is %s'),
    ],
    '52d115 --max-members 10000 members of one': [
      ...by(
        guardFile,
        'has objects of as many members as are allowed, and no more',
        'has lists of as many items as are allowed, and no more',
        'has as many values as are allowed, and no more',
      ),
      ...by(sizeFile, '70,000 are refused before they are parsed'),
    ],
    '303520 --max-url 8KiB path and query': by(limFile, 'has an address of a bearable length'),
    '0d0408 --max-connections 2000 open connections': by(
      limFile,
      'of sleepers does not keep others from being served',
    ),
    '575b85 --max-requests 256 requests at the': by(
      limFile,
      'is served as far as there is room, and the others are told to come again',
    ),
    '8a6dd8 --max-requests-per-token 128 requests of one': by(
      psFile,
      'a token has so many requests at the same moment',
    ),
    '31d7f8 --max-questions-per-token 2 long questions of': by(
      limFile,
      'waits for the one before it, and both are answered',
    ),
    '112396 --max-large-bodies-per-token 1 requests of one': by(
      largeFile,
      'waits for the one of its token before it; small ones and those of others do not',
      'that is a JSON patch counts as one, however short it is',
    ),
    '42931e --max-uploads 8 uploads at the': by(psFile, 'all tokens have so many uploads at the same moment'),
    '0d8986 --max-uploads-per-token 4 uploads of one': by(
      limFile,
      'that stall leave room for those of others, and end when nothing comes',
    ),
    'c0a2f7 --max-uploads-per-project 4 uploads to one': by(
      limFile,
      'that stall leave room for those of others, and end when nothing comes',
    ),
    '6bdc2a --max-assets 100000 assets of a': by(limFile, 'is refused before anything is made of them'),
    '04b51c --header-timeout 10s until the headers': by(limFile, 'does not come word by word forever'),
    'e71541 --request-timeout 30s until a whole': by(limFile, 'that comes too slowly is not waited for'),
    '8aeee2 --upload-timeout 300s until a whole': by(psFile, 'an upload has a time of its own to come in'),
    '549608 --idle-timeout 15s without a byte': by(
      limFile,
      'that stall leave room for those of others, and end when nothing comes',
    ),
    'e6f9cc --job-timeout 120s the work on': by(
      limFile,
      'of an upload ends with its time, without waiting for the thread',
    ),
    '01c120 --question-timeout 20s the work on': [
      ...by(limFile, 'is ended, and says which limit it was'),
      ...by(badFile, 'is killed when the time of its question is over, and the next is asked'),
    ],
    'a0f642 A refusal is application/problem+json (RFC': [
      ...by(confFile, 'a failed call has a body that says so'),
      ...by(protFile, "every answer has a request id: the caller's, or one of its own"),
    ],
    'db59cf malformed_target 400 The address in': by(protFile, 'an address that cannot be read'),
    '189eba malformed_json 400 The body is': by(protFile, 'the body %j is %s'),
    'ea610f invalid_cursor 400 The cursor belongs': by(listsFile, 'take no cursor that is not theirs'),
    '6454df invalid_header 400 A header cannot': by(protFile, 'something else'),
    '29b53d unauthorized 401 The token is': by(tokFile, 'are missed in the same words with %s'),
    '185c7f forbidden 403 The token lacks': by(
      tokFile,
      'may what they are for',
      'give away only what they have',
      'give no more life than they have',
    ),
    '0dcf2f not_found 404 It does not': by(matFile, 'does not know what is in another project'),
    'e19619 method_not_allowed 405 The path does': by(
      protFile,
      'names the methods of a path, also of one without parameters',
    ),
    'fb1f4f timeout 408 The request did': by(
      limFile,
      'that comes too slowly is not waited for',
      'does not come word by word forever',
    ),
    '6b4aab already_exists 409 The identifier is': by(termsFile, 'keep their identifier for themselves'),
    'e2d6e9 in_use 409 Others refer to': by(
      gchFile,
      'a term with links is deleted with them or not at all, and comes back with them',
    ),
    '9a7269 ended 409 The token has': by(tokFile, 'end with their time'),
    '9144d0 project_mismatch 409 The pack belongs': by(
      upFile,
      'is refused for a project that holds another one, unless it is bound anew',
    ),
    '03453a request_in_progress 409 The first request': [
      ...by(
        cliFile,
        'another request that is in progress is waited for as the service says, and not forever',
      ),
      ...by(claimsFile, 'that runs still, or of an earlier version, is waited for'),
    ],
    'b960de version_mismatch 412 Somebody changed it': by(
      gchFile,
      'If-Match lets the version through that was read, and no other',
    ),
    '3c879e too_large 413 The body is': by(limFile, 'is as long as is allowed, and not a byte longer'),
    '8acbb1 uri_too_long 414 Path and query': by(limFile, 'has an address of a bearable length'),
    'fa8c2b unsupported_media_type 415 The Content-Type or': by(limFile, 'has to be what its headers say'),
    '81eb4c expectation_failed 417 The service supports': by(protFile, 'an expectation'),
    '1217e6 invalid 422 The body or': [
      ...by(kindsFile, 'what is said wrong is told at once, with the nearest right name'),
      ...by(listsFile, '%s is refused'),
    ],
    'b08924 idempotency_key_reused 422 The key was': by(idemFile, 'that is another one is refused'),
    'f8537a rate_limited 429 Too many requests:': [
      ...by(limFile, 'has so many reads and writes a minute'),
      ...by(bucketFile, 'says when to come again, and that is true'),
    ],
    'c9b2f8 headers_too_large 431 The headers are': by(limFile, 'has headers of a bearable length'),
    'fce7e3 internal 500 A bug in': by(
      psFile,
      'a bug is told by its code alone, and the log has what it was',
    ),
    'ae2e87 unavailable 503 The service is': [
      ...by(limFile, 'is served as far as there is room, and the others are told to come again'),
      ...by(badFile, 'is asked twice, and then the client is told'),
    ],
    '909642 took_too_long 503 The question or': by(
      limFile,
      'is ended, and says which limit it was',
      'of an upload ends with its time, without waiting for the thread',
    ),
    '6023c3 storage_full 507 The disk of': by(
      fullFile,
      'is told to who writes; who reads is not concerned; it ends when there is room again',
    ),
  },
  explains: [],
}
