// Generated from the routes of the service by `npm run docs`; not edited by hand.

export type Problem = {
  readonly success: false
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: 'malformed_json' | 'invalid_cursor' | 'invalid_header' | 'unauthorized' | 'forbidden' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'timeout' | 'already_exists' | 'in_use' | 'ended' | 'project_mismatch' | 'request_in_progress' | 'version_mismatch' | 'too_large' | 'uri_too_long' | 'unsupported_media_type' | 'invalid' | 'idempotency_key_reused' | 'if_match_required' | 'rate_limited' | 'headers_too_large' | 'internal' | 'unavailable' | 'storage_full'
  readonly detail: string
  readonly instance: string
  readonly request_id: string
  readonly errors?: readonly ({
    readonly pointer: string
    readonly code: string
    readonly detail: string
  })[]
}

export type Token = {
  /** Record number. */
  readonly id: number
  readonly name: string
  /** The first and last characters of the token. */
  readonly hint: string
  readonly scopes: readonly ('glossary:read' | 'glossary:write' | 'metadata:read' | 'metadata:upload' | 'projects:read' | 'projects:admin' | 'tokens:admin' | 'audit:read' | 'webhooks:admin')[]
  /** Record numbers of projects, or "all": also those that are made later. */
  readonly projects: readonly (number)[] | 'all'
  readonly status: 'active' | 'expired' | 'revoked'
  readonly created_at: string
  readonly created_by: string
  readonly expires_at: string | null
  readonly last_used_at: string | null
  readonly revoked_at: string | null
  /** Record number. */
  readonly rotated_from: number | null
}

/** Of an operation without such a part. */
export type Nothing = Readonly<Record<never, never>>

export interface Operations {
  /** Create a term */
  readonly create_term: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Record number. */
      readonly project: number
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly id?: string
      /** Your own identifier of the record; made of the name when it is left out. */
      readonly identifier?: string
      /** Display name. */
      readonly name: string
      /** Definition, in words. */
      readonly description?: string | null
      /** Alternative names. */
      readonly synonyms?: readonly (string)[] | null
      /** Contact, usually an e-mail address. */
      readonly owner?: string | null
      /** How far the definition is agreed on. */
      readonly status?: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected' | null
      /** Who has to agree. */
      readonly reviewers?: readonly (string)[] | null
      /** Other terms, by identifier, and what they are to this one. */
      readonly related?: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[] | null
      /** Words to group records by. */
      readonly tags?: readonly (string)[] | null
      /** Members of your own; kept as they are. */
      readonly metadata?: { readonly [name: string]: unknown } | null
    }
    readonly answer: {
      readonly success: true
      readonly term: {
        /** Record number. */
        readonly id: number
        readonly name: string
        readonly identifier: string
        readonly description: string
        /** Record number. */
        readonly project: number
        /** Alternative names. */
        readonly synonyms: readonly (string)[]
        readonly owner: string | null
        /** How far the definition is agreed on. */
        readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
        /** Who has to agree. */
        readonly reviewers: readonly (string)[]
        /** Other terms, by identifier, and what they are to this one. */
        readonly related: readonly ({
          readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
          readonly term: string
        })[]
        /** Words to group records by. */
        readonly tags: readonly (string)[]
        /** Members of your own; kept as they are. */
        readonly metadata: { readonly [name: string]: unknown }
        /** How it came here, or was last changed. */
        readonly origin: 'api' | 'pack' | 'import'
        readonly version: number
        readonly created_at: string
        readonly created_by: string
        readonly updated_at: string
        readonly updated_by: string
        readonly deleted_at?: string
      }
      readonly warnings?: readonly ({
        readonly code: string
        readonly detail: string
        readonly pointer?: string
      })[]
    }
  }
  /** List terms */
  readonly list_terms: {
    readonly path: Nothing
    readonly query: {
      readonly project: number
    }
    readonly body: undefined
    readonly answer: readonly ({
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** Alternative names. */
      readonly synonyms: readonly (string)[]
      readonly owner: string | null
      /** How far the definition is agreed on. */
      readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
      /** Who has to agree. */
      readonly reviewers: readonly (string)[]
      /** Other terms, by identifier, and what they are to this one. */
      readonly related: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[]
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    })[]
  }
  /** Read a term */
  readonly get_term: {
    readonly path: {
      readonly id: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      /** Record number. */
      readonly id: number
      readonly name: string
      readonly identifier: string
      readonly description: string
      /** Record number. */
      readonly project: number
      /** Alternative names. */
      readonly synonyms: readonly (string)[]
      readonly owner: string | null
      /** How far the definition is agreed on. */
      readonly status: 'draft' | 'in_review' | 'approved' | 'deprecated' | 'rejected'
      /** Who has to agree. */
      readonly reviewers: readonly (string)[]
      /** Other terms, by identifier, and what they are to this one. */
      readonly related: readonly ({
        readonly type: 'related' | 'broader' | 'narrower' | 'replaced_by' | 'antonym' | 'see_also'
        readonly term: string
      })[]
      /** Words to group records by. */
      readonly tags: readonly (string)[]
      /** Members of your own; kept as they are. */
      readonly metadata: { readonly [name: string]: unknown }
      /** How it came here, or was last changed. */
      readonly origin: 'api' | 'pack' | 'import'
      readonly version: number
      readonly created_at: string
      readonly created_by: string
      readonly updated_at: string
      readonly updated_by: string
      readonly deleted_at?: string
    }
  }
  /** Make a token with some of the scopes and projects of the own one. */
  readonly createToken: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: {
      /** Stands in the audit log and in created_by. */
      readonly name: string
      readonly scopes: readonly ('glossary:read' | 'glossary:write' | 'metadata:read' | 'metadata:upload' | 'projects:read' | 'projects:admin' | 'tokens:admin' | 'audit:read' | 'webhooks:admin')[]
      /** Record numbers of projects, or "all": also those that are made later. */
      readonly projects: readonly (number)[] | 'all'
      /** 90 when left out. */
      readonly expires_in_days?: number
      /** Only a token with all scopes and all projects may ask for it. */
      readonly never_expires?: true
    }
    readonly answer: {
      readonly success: true
      readonly token: Token
      /** The token itself. It is shown this once; only its hash is kept. */
      readonly secret: string
    }
  }
  /** List the tokens whose projects the own token sees, oldest first. */
  readonly listTokens: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: readonly (Token)[]
  }
  /** What the own token is and may do. */
  readonly getOwnToken: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly token: Token
    }
  }
  /** One token. */
  readonly getToken: {
    readonly path: {
      readonly id: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly token: Token
    }
  }
  /** End a token now. Its own token may end itself. */
  readonly revokeToken: {
    readonly path: {
      readonly id: number
    }
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly success: true
      readonly token: Token
    }
  }
  /** Replace a token by a new one with the same rights and lifetime. */
  readonly rotateToken: {
    readonly path: {
      readonly id: number
    }
    readonly query: Nothing
    readonly body: {
      /** So long the old token stays valid; 0 when left out. */
      readonly grace_seconds?: number
    }
    readonly answer: {
      readonly success: true
      readonly token: Token
      /** The token itself. It is shown this once; only its hash is kept. */
      readonly secret: string
    }
  }
  /** The process answers. */
  readonly getHealth: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly status: 'ok'
      readonly version: string
    }
  }
  /** The service takes requests: the database answers, and it is not about to stop. */
  readonly getReadiness: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: {
      readonly status: 'ready'
    }
  }
  /** Numbers for Prometheus. */
  readonly getMetrics: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: string
  }
  /** This description, as OpenAPI 3.1. */
  readonly getOpenApi: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: { readonly [name: string]: unknown }
  }
  /** This description, as a page. */
  readonly getDocs: {
    readonly path: Nothing
    readonly query: Nothing
    readonly body: undefined
    readonly answer: string
  }
}

export const operations = {
  create_term: { method: 'POST', path: '/api/svc/glossary/terms' },
  list_terms: { method: 'GET', path: '/api/svc/glossary/terms' },
  get_term: { method: 'GET', path: '/api/svc/glossary/terms/{id}' },
  createToken: { method: 'POST', path: '/api/svc/tokens' },
  listTokens: { method: 'GET', path: '/api/svc/tokens' },
  getOwnToken: { method: 'GET', path: '/api/svc/tokens/self' },
  getToken: { method: 'GET', path: '/api/svc/tokens/{id}' },
  revokeToken: { method: 'DELETE', path: '/api/svc/tokens/{id}' },
  rotateToken: { method: 'POST', path: '/api/svc/tokens/{id}/rotate' },
  getHealth: { method: 'GET', path: '/healthz' },
  getReadiness: { method: 'GET', path: '/readyz' },
  getMetrics: { method: 'GET', path: '/metrics' },
  getOpenApi: { method: 'GET', path: '/openapi.json' },
  getDocs: { method: 'GET', path: '/docs' },
} as const satisfies Readonly<Record<keyof Operations, { readonly method: string; readonly path: string }>>
