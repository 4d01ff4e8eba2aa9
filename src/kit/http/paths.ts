/** Paths with a verb behind a colon, and the spellings of them that are accepted (D-5). */

import type { ApiModule } from './api_module.ts'
import type { Method } from './permissions.ts'
import type { Route } from './route.ts'

/** The paths of one API: for spellings, and for 405 with its Allow header. */
export type PathTable = {
  prefix: string
  /** The beginning of a path with a resource in the singular. */
  singular: RegExp
  /** Verb in lower case to the verb of the path. */
  verbs: ReadonlyMap<string, string>
  methodsOf: (url: string) => Method[]
}

/**
 * `/cards/{id}:statuschange` as the router writes it; an id excludes ':' so that verbs are found.
 */
export function routerPath(path: string): string {
  return path.replace(/:/g, '::').replace(/\{(\w+)\}/g, ':$1([^:/]+)')
}

type Api = Pick<ApiModule, 'prefix' | 'singulars'> & {
  routes: readonly Pick<Route, 'method' | 'path'>[]
}

export function createPathTable({ prefix, routes, singulars = [] }: Api): PathTable {
  const known = routes.map(({ method, path }) => ({ method, pattern: patternOf(prefix + path) }))
  const verbs = routes.flatMap(({ path }) => path.match(/(?<=:)\w+$/) ?? [])
  return {
    prefix,
    singular: new RegExp(`^(${prefix})/(${singulars.join('|') || '(?!)'})(?=[/:])`),
    verbs: new Map(verbs.map((verb) => [verb.toLowerCase(), verb])),
    methodsOf(url) {
      const path = asRouted(url)
      if (path === undefined) return []
      return known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    },
  }
}

/**
 * The path with its segments decoded, as the router matches them. Undefined if a segment cannot be
 * one of a route: an invalid escape, or one that decodes to a slash or a colon, which end a
 * parameter (`/users/abc%2fdef`).
 */
function asRouted(url: string): string | undefined {
  const [path = ''] = url.split('?')
  if (/%(2f|3a)/i.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^:/]+')
  return new RegExp(`^${escaped}/?$`)
}

/**
 * Singular resource names and verbs in any case become those of the routes; %3A counts as a colon.
 */
export function canonicalUrl(url: string, tables: readonly PathTable[]): string {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const query = at < 0 ? '' : url.slice(at)
  const paths = tables.find(({ prefix }) => path.startsWith(`${prefix}/`))
  if (!paths) return url
  return (
    path
      .replace(paths.singular, '$1/$2s')
      .replace(/(?::|%3A)(\w+)(\/?)$/i, (whole, verb: string, slash) => {
        const written = paths.verbs.get(verb.toLowerCase())
        return written === undefined ? whole : `:${written}${slash}`
      }) + query
  )
}
