/** The sentences of docs/hosted/tokens.md. */
import { by, type PageEntries } from './held.ts'

const confFile = 'hosted/conformance.test.ts'
const matFile = 'hosted/security/matrix.test.ts'
const tokFile = 'hosted/access/tokens.test.ts'
const cmdFile = 'hosted/operation/commands.test.ts'
const bootFile = 'hosted/access/bootstrap.test.ts'
const rightsFile = 'hosted/access/rights.test.ts'
const psFile = 'hosted/page-sentences.test.ts'
const textFile = 'hosted/access/token-text.test.ts'
const limFile = 'hosted/security/limits.test.ts'

export const tokensPage: PageEntries = {
  page: 'tokens.md',
  held: {
    '9c9fce Every request below /api/svc/ needs': [
      ...by(confFile, 'every call carries Authorization: Bearer <token>'),
      ...by(matFile, 'asks for a token wherever the contract says so, and nowhere else'),
    ],
    'ee8b81 A token has a name,': by(tokFile, 'are shown once, in full'),
    'c30373 The value of SVC_HOSTED_BOOTSTRAP_TOKEN (32': [
      ...by(cmdFile, 'a bootstrap token that could be guessed, and does not say it'),
      ...by(tokFile, 'have every scope that there is when they bring up a service'),
      ...by(bootFile, 'that another value has replaced stays revoked'),
    ],
    '5b7573 Once it was revoked or': by(
      bootFile,
      'that was revoked does not come back',
      'that was rotated is reported when it has expired',
    ),
    'a5d744 Alternatively, create a token directly': by(
      cmdFile,
      'a token is made, used, rotated and revoked',
      'replaces nothing unless it is told to, and keeps what it replaces',
    ),
    '1114d9 Only the token is printed': by(cmdFile, 'a token is made, used, rotated and revoked'),
    '3584c1 --scope takes scopes and roles': [
      ...by(rightsFile, 'may be roles', 'are refused by the first unknown word'),
      ...by(cmdFile, 'a token is made, used, rotated and revoked'),
    ],
    '6da58e --project names the projects that': [
      ...by(psFile, 'a token of all projects has those that are made later'),
      ...by(tokFile, 'of more rights, or of other projects, are out of reach'),
    ],
    'ad046f For everything in other projects': by(matFile, 'does not know what is in another project'),
    '2c73af If the scope is missing,': [
      ...by(tokFile, 'may what they are for'),
      ...by(matFile, 'is for who has its scope'),
    ],
    '313ad4 A token is valid for': [
      ...by(psFile, 'a token lives 90 days, as long as it is told up to 366, or for ever'),
      ...by(tokFile, 'are shown once, in full'),
    ],
    'e38d53 Over HTTP, only a token': by(
      tokFile,
      'give away only what they have',
      'give no more life than they have',
    ),
    '806053 rotate creates a new token': by(tokFile, 'are rotated at once, or with time to spare'),
    'ece55b When revoke or rotate has': by(cmdFile, 'a token is made, used, rotated and revoked'),
    'd76c2e a server that revokes a': by(tokFile, 'end in the very moment that they are revoked'),
    'f57c82 on PostgreSQL, where several servers': by(cmdFile, 'a token is made, used, rotated and revoked'),
    'cd3b82 on SQLite a server caches': by(cmdFile, 'a token is made, used, rotated and revoked'),
    '8631d8 POST /api/svc/tokens , GET /api/svc/tokens': [
      ...by(
        tokFile,
        'are shown once, in full',
        'are rotated at once, or with time to spare',
        'end in the very moment that they are revoked',
        'may what they are for',
      ),
      ...by(matFile, 'is for who has its scope'),
    ],
    'ae0f27 A token can only grant': by(tokFile, 'give away only what they have'),
    'f62ea1 Nor does it give more': by(tokFile, 'give no more life than they have'),
    '313634 Without expires_in_days a token ends': by(
      tokFile,
      'give no more life than they have',
      'are shown once, in full',
    ),
    'dbe151 Tokens with more rights than': by(
      tokFile,
      'of more rights, or of other projects, are out of reach',
    ),
    'd6a437 The database stores the SHA-256': [
      ...by(textFile, 'is kept as its hash and its ends'),
      ...by(
        tokFile,
        'are kept as a hash: the database does not hold one',
        'tell when they were used last, once a minute',
      ),
    ],
    'ce69c7 A token is svc_ ,': by(
      textFile,
      'has a prefix, 30 random characters and 6 of checksum',
      'has a checksum that any program can work out',
    ),
    'f64f87 Secret scanners recognize this form,': by(
      psFile,
      'a token whose checksum is wrong is refused without a question to the database',
    ),
    '26e57a A missing, malformed, unknown, expired': [
      ...by(tokFile, 'are missed in the same words with %s'),
      ...by(matFile, 'refuses whoever has no right token, in the same words'),
      ...by(limFile, 'that is wrong has only so many tries, of one address'),
    ],
  },
  explains: [],
}
