/** All services that page, each in the shape of a real one or of a family. */
import { services as addresses } from './addresses.ts'
import type { PagingService } from './ask.ts'
import { services as headers } from './headers.ts'
import { services as numbers } from './numbers.ts'
import { services as offsets } from './offsets.ts'
import { services as tokens } from './tokens.ts'

export const pagingServices: readonly PagingService[] = [
  ...addresses,
  ...tokens,
  ...numbers,
  ...offsets,
  ...headers,
]
