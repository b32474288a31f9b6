/** Services whose answers hold the address of the next page. */
import {
  address,
  orNone,
  orNull,
  type PagingService,
  paged,
  part,
  skipped,
  startOf,
  token,
  tokened,
} from './ask.ts'

export const services: readonly PagingService[] = [
  {
    name: 'Django REST framework',
    explicit: '{type: next_url, path: next}',
    answer(ask) {
      const { items, total, number, hasMore } = paged(ask, 'page')
      return {
        body: {
          count: total,
          next: orNull(hasMore, address(ask, `page=${number + 1}`)),
          previous: null,
          results: items,
        },
      }
    },
  },
  {
    name: 'OData 4',
    explicit: '{type: next_url, path: "@odata.nextLink"}',
    answer(ask) {
      const { items, hasMore, next } = tokened(ask, '$skiptoken')
      return {
        body: {
          '@odata.context': '$metadata',
          value: items,
          ...orNone(hasMore, { '@odata.nextLink': address(ask, `$skiptoken=${next}`) }),
        },
      }
    },
  },
  {
    name: 'OData 2 (SAP)',
    explicit: '{type: next_url, path: d.__next}',
    answer(ask) {
      const { items, hasMore, next } = tokened(ask, '$skiptoken')
      return {
        body: { d: { results: items, ...orNone(hasMore, { __next: address(ask, `$skiptoken=${next}`) }) } },
      }
    },
  },
  {
    name: 'HAL',
    explicit: '{type: next_url, path: _links.next.href}',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page')
      const next = orNone(hasMore, { next: { href: address(ask, `page=${number + 1}`) } })
      return { body: { _links: { self: { href: ask.here }, ...next }, _embedded: { things: items } } }
    },
  },
  {
    name: 'JSON:API links',
    explicit: '{type: next_url, path: links.next}',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page[number]')
      return {
        body: {
          data: items,
          links: { self: ask.here, next: orNull(hasMore, address(ask, `page[number]=${number + 1}`)) },
        },
      }
    },
  },
  {
    name: 'JSON:API link objects',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page[number]')
      return {
        body: {
          data: items,
          links: {
            ...orNone(hasMore, { next: { href: address(ask, `page[number]=${number + 1}`), meta: {} } }),
          },
        },
      }
    },
  },
  {
    name: 'Salesforce',
    explicit: '{type: next_url, path: nextRecordsUrl}',
    answer(ask) {
      const { items, next, hasMore, total } = tokened(ask, 'locator')
      const more = orNone(hasMore, { nextRecordsUrl: `${new URL(ask.here).pathname}?locator=${next}` })
      return { body: { totalSize: total, done: !hasMore, ...more, records: items } }
    },
  },
  {
    name: 'Facebook Graph',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'after')
      return {
        body: {
          data: items,
          paging: {
            cursors: { before: 'x', after: next ?? 'end' },
            ...orNone(hasMore, { next: address(ask, `after=${next}`) }),
          },
        },
      }
    },
  },
  {
    name: 'HubSpot',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'after')
      return {
        body: {
          results: items,
          ...orNone(hasMore, { paging: { next: { after: next, link: address(ask, `after=${next}`) } } }),
        },
      }
    },
  },
  {
    name: 'Asana',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'offset')
      return {
        body: {
          data: items,
          next_page: orNull(hasMore, { offset: next, path: '/x', uri: address(ask, `offset=${next}`) }),
        },
      }
    },
  },
  {
    name: 'Zendesk, pages',
    answer(ask) {
      const { items, number, hasMore, total } = paged(ask, 'page')
      return {
        body: {
          tickets: items,
          next_page: orNull(hasMore, address(ask, `page=${number + 1}`)),
          previous_page: null,
          count: total,
        },
      }
    },
  },
  {
    name: 'Zendesk, cursors',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'page[after]')
      return {
        body: {
          tickets: items,
          meta: { has_more: hasMore, after_cursor: next, before_cursor: null },
          links: { prev: null, next: orNull(hasMore, address(ask, `page[after]=${next}`)) },
        },
      }
    },
  },
  {
    name: 'Zendesk, incremental',
    answer(ask) {
      const { items, next, hasMore } = tokened(ask, 'cursor')
      return {
        body: {
          tickets: items,
          after_url: orNull(hasMore, address(ask, `cursor=${next}`)),
          end_of_stream: !hasMore,
        },
      }
    },
  },
  {
    name: 'Walmart: a cursor that is a query',
    answer(ask) {
      const { items, next, hasMore, total } = tokened(ask, 'nextCursor')
      return {
        body: {
          list: { elements: items },
          meta: { totalCount: total, ...orNone(hasMore, { nextCursor: `?limit=10&nextCursor=${next}` }) },
        },
      }
    },
  },
  {
    name: 'US Treasury: parameters that begin with &',
    answer(ask) {
      const { items, number, hasMore, total, pages } = paged(ask, 'page[number]')
      const next = orNull(hasMore, `&page%5Bnumber%5D=${number + 1}&page%5Bsize%5D=10`)
      return {
        body: {
          data: items,
          meta: { count: items.length, 'total-count': total, 'total-pages': pages },
          links: { next },
        },
      }
    },
  },
  {
    name: 'Confluence, a link below a base',
    answer(ask) {
      const { items, end, hasMore } = skipped(ask, 'start')
      const base = ask.here.replace(/\/[^/]*$/, '')
      const next = orNone(hasMore, { next: `/${ask.here.split('/').at(-1)}?start=${end}` })
      return { body: { results: items, start: 0, limit: 10, size: items.length, _links: { base, ...next } } }
    },
  },
  {
    name: 'Bitbucket Cloud',
    answer(ask) {
      const { items, number, hasMore, total } = paged(ask, 'page')
      return {
        body: {
          pagelen: 10,
          size: total,
          page: number,
          ...orNone(hasMore, { next: address(ask, `page=${number + 1}`) }),
          values: items,
        },
      }
    },
  },
  {
    name: 'CKAN: a next address that never ends',
    answer(ask) {
      const { items, start, total } = skipped(ask, 'offset')
      return {
        body: {
          success: true,
          result: {
            records: items,
            total,
            limit: 10,
            _links: { start: ask.here, next: address(ask, `offset=${start + 10}`) },
          },
        },
      }
    },
  },
  {
    name: 'Mailgun: an empty page that names itself',
    namesNextAlways: true,
    answer(ask) {
      const own = part(ask, startOf(ask.query.get('page')))
      return {
        body: { items: own.items, paging: { first: ask.here, next: address(ask, `page=${token(own.end)}`) } },
      }
    },
  },
  {
    name: 'Laravel',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, 'page')
      return {
        body: {
          current_page: number,
          data: items,
          last_page: pages,
          next_page_url: orNull(hasMore, address(ask, `page=${number + 1}`)),
          per_page: 10,
          total,
        },
      }
    },
  },
  {
    name: 'Discogs',
    answer(ask) {
      const { items, number, pages, total, hasMore } = paged(ask, 'page')
      const urls = orNone(hasMore, { next: address(ask, `page=${number + 1}`) })
      return {
        body: { pagination: { page: number, pages, per_page: 10, items: total, urls }, releases: items },
      }
    },
  },
  {
    name: 'FHIR',
    answer(ask) {
      const { items, next, hasMore, total } = tokened(ask, '_page')
      const link = [
        { relation: 'self', url: ask.here },
        ...(hasMore ? [{ relation: 'next', url: address(ask, `_page=${next}`) }] : []),
      ]
      return { body: { resourceType: 'Bundle', total, link, entry: items } }
    },
  },
  {
    name: 'OGC API and STAC',
    answer(ask) {
      const { items, start, end, total, hasMore } = skipped(ask, 'offset')
      const before = start > 0 ? [{ rel: 'prev', href: ask.here }] : []
      const links = [
        ...before,
        { rel: 'self', href: ask.here },
        ...(hasMore ? [{ rel: 'next', href: address(ask, `offset=${end}`) }] : []),
      ]
      return {
        body: {
          type: 'FeatureCollection',
          features: items,
          numberMatched: total,
          numberReturned: items.length,
          links,
        },
      }
    },
  },
  {
    name: 'Oracle REST and NetSuite',
    answer(ask) {
      const { items, start, end, hasMore, total } = skipped(ask, 'offset')
      const links = [
        { rel: 'self', href: ask.here },
        ...(hasMore ? [{ rel: 'next', href: address(ask, `offset=${end}`) }] : []),
      ]
      return {
        body: { items, hasMore, limit: 10, offset: start, count: items.length, totalResults: total, links },
      }
    },
  },
  {
    name: 'Travis CI',
    answer(ask) {
      const { items, start, end, total, hasMore } = skipped(ask, 'offset')
      const next = orNull(hasMore, { '@href': address(ask, `offset=${end}`), offset: end, limit: 10 })
      return {
        body: {
          '@pagination': { limit: 10, offset: start, count: total, is_last: !hasMore, next },
          builds: items,
        },
      }
    },
  },
  {
    name: 'Discourse',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page', 0)
      return {
        body: {
          topic_list: {
            per_page: 10,
            topics: items,
            ...orNone(hasMore, { more_topics_url: `${new URL(ask.here).pathname}?page=${number + 1}` }),
          },
        },
      }
    },
  },
  {
    name: 'Twilio',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'Page', 0)
      return {
        body: {
          page: number,
          page_size: 10,
          next_page_uri: orNull(hasMore, `${new URL(ask.here).pathname}?Page=${number + 1}`),
          calls: items,
        },
      }
    },
  },
  {
    name: 'a next page of a name that nobody knows',
    answer(ask) {
      const { items, number, hasMore } = paged(ask, 'page')
      return { body: { things: items, nextPg: orNull(hasMore, address(ask, `page=${number + 1}`)) } }
    },
  },
]
