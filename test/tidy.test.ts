/** The rules of STYLE.md and ARCHITECTURE.md that a machine can check. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { sentencesOf } from '#test/support/inspection/comments.ts'
import { slices } from '#test/support/inspection/slices.ts'

type File = { path: string; text: string; imports: string[] }

const files: File[] = globSync([
  'src/**/*.ts',
  'test/**/*.ts',
  'tools/**/*.ts',
  'packages/client/*.ts',
  'packages/client/src/**/*.ts',
  'apps/cli/**/*.ts',
  'bench/**/*.ts',
  'deploy/**/*.ts',
])
  .sort()
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    const imports = [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, from = '']) => from)
    return { path, text, imports }
  })
const isTest = ({ path }: File) => path.endsWith('.test.ts') || path.startsWith('test/')
const isGenerated = ({ path }: File) =>
  path === 'src/kit/db/tables.ts' || path.startsWith('packages/client/src/generated/')
const source = files.filter((file) => file.path.startsWith('src/') && !isTest(file))
/** The client library, as it is published. */
const library = files.filter(({ path }) => path.startsWith('packages/client/src/'))

const none = (found: readonly string[]) => assert.deepEqual(found, [])

/** Imports of a rule beside types: files that are pure themselves. */
const PURE =
  /^(#(lib|iso8583|emv|pin|cvv|mac|clearing)\/|#(issuing|merchant|portal)\/\w+\/rules\.ts$|#kit\/settings\/|\.)/
const values = (text: string) =>
  [...text.matchAll(/^(?:import|export) (?!type )[^;]*? from '([^']+)'/gm)].map(
    ([, from = '']) => from,
  )

test('rules touch neither clock, chance, database nor network', () => {
  none(
    source
      .filter(({ path }) => /\/(rules|decide)[./]/.test(path))
      .filter(
        ({ text }) =>
          /Date\.now|new Date\(\)|Math\.random|\bawait\b/.test(text) ||
          values(text).some((from) => !PURE.test(from)),
      )
      .map(({ path }) => path),
  )
})

test('a slice imports another slice only by its public functions, its schema or its rules', () => {
  none(
    source.flatMap(({ path, imports }) =>
      imports
        .filter((from) => {
          const [, name, file] =
            /^#(?:issuing|merchant|portal)\/([^/]+)\/(.+)\.ts$/.exec(from) ?? []
          const isModule = /^src\/program\/(apis|modes)\//.test(path)
          const isAdapter = /^src\/(adapters|sandbox)\//.test(path)
          return (
            name !== undefined &&
            file !== name &&
            !['schema', 'rules'].includes(file ?? '') &&
            !(isModule && file === 'slice') &&
            !(isAdapter && file === 'provider')
          )
        })
        .map((from) => `${path} -> ${from}`),
    ),
  )
})

test('a slice imports only slices before it', () => {
  none(
    source.flatMap(({ path, imports }) => {
      const own = /^src\/(?:issuing|merchant|portal)\/([^/]+)\//.exec(path)?.[1]
      if (own === undefined) return []
      return imports
        .map((from) => ({
          from,
          other: /^#(?:issuing|merchant|portal)\/([^/]+)\//.exec(from)?.[1],
        }))
        .filter(({ other }) => other !== undefined && slices.indexOf(other) >= slices.indexOf(own))
        .map(({ from }) => `${path} -> ${from}`)
    }),
  )
})

test('the command line imports what is pure of src, but for commands that run the program', () => {
  const commands = files.filter(
    (file) => /^apps\/cli\/(?!server\/)/.test(file.path) && !isTest(file),
  )
  assert.ok(commands.length > 10)
  none(
    commands.flatMap(({ path, imports }) =>
      imports
        .filter((from) =>
          from.startsWith('.') ? !isWithin(path, from) : /^#(?!(lib|iso8583|client)\/)/.test(from),
        )
        .map((from) => `${path} -> ${from}`),
    ),
  )
})

const isWithin = (path: string, from: string): boolean =>
  join(dirname(path), from).startsWith('apps/cli/')

test('the server is started by launch.ts, and for a person at a terminal by the command line', () => {
  const starting = files
    .filter(({ text }) => /\bspawn\(/.test(text) && /'src\/main\.ts'/.test(text))
    .map(({ path }) => path)
    .filter((path) => path !== 'test/tidy.test.ts')
  assert.deepEqual(starting, ['apps/cli/commands/scripts.ts', 'src/lib/process/launch.ts'])
})

test('every slice is in the order of slices', () => {
  const found = source.flatMap(
    ({ path }) => /^src\/(?:issuing|merchant|portal)\/([^/]+)\//.exec(path)?.[1] ?? [],
  )
  none([...new Set(found)].filter((name) => !slices.includes(name)))
})

/** The portal makes tenants by public functions of issuing; nothing imports the portal. */
const UNSEEN: Readonly<Record<string, RegExp>> = {
  issuing: /^#(merchant|portal)\//,
  merchant: /^#(issuing|portal)\//,
  portal: /^#merchant\//,
}

test('the API modules never import each other, but for issuing, which the portal imports', () => {
  none(
    source.flatMap(({ path, imports }) => {
      const api = /^src\/(issuing|merchant|portal)\//.exec(path)?.[1] ?? ''
      return imports.filter((from) => UNSEEN[api]?.test(from)).map((from) => `${path} -> ${from}`)
    }),
  )
})

test('imports run one way: lib, codecs, kit, events and callers, slices, APIs, main', () => {
  const layers = [
    /^src\/lib\//,
    /^src\/(iso8583|emv|pin|cvv|mac|clearing)\//,
    /^src\/(kit|embedded_postgres)\//,
    /^src\/(events|callers)\//,
  ]
  const allowed = [
    /^#lib\//,
    /^#(lib|iso8583|emv|pin|cvv|mac|clearing)\//,
    /^#(lib|kit|iso8583|emv|pin|cvv|mac|clearing)\//,
    /^#(lib|kit|iso8583|emv|pin|cvv|mac|clearing)\//,
  ]
  none(
    source.flatMap(({ path, imports }) => {
      const layer = layers.findIndex((pattern) => pattern.test(path))
      const fits = allowed[layer]
      return fits === undefined
        ? []
        : imports
            .filter((from) => from.startsWith('#') && !fits.test(from))
            .map((from) => `${path} -> ${from}`)
    }),
  )
})

test('only main.ts imports the program, and src has nothing else beside folders', () => {
  none(
    source
      .filter(({ path }) => !/^src\/(program\/.+|main\.ts)$/.test(path))
      .flatMap(({ path, imports }) =>
        imports.filter((from) => /program\//.test(from)).map((from) => `${path} -> ${from}`),
      ),
  )
  assert.deepEqual(globSync('src/*.*'), ['src/main.ts'])
})

test('a live deployment loads no file of the sandbox beside the names of its rows', () => {
  const loaded = new Set<string>()
  const load = (path: string): void => {
    if (loaded.has(path)) return
    loaded.add(path)
    const file = files.find((one) => one.path === path)
    for (const from of values(file?.text ?? '')) load(pathOf(path, from))
  }
  // Each of these is loaded by `import()`.
  for (const name of ['run', 'start', 'welcome', 'modes/live']) load(`src/program/${name}.ts`)
  assert.ok(loaded.has('src/program/apis/issuing.ts'))
  assert.deepEqual(
    [...loaded].filter((path) => path.startsWith('src/sandbox/')),
    ['src/sandbox/known.ts'],
  )
})

/** The path of a file that another one imports; `#kit/` is `src/kit/`. */
const pathOf = (path: string, from: string): string =>
  from.startsWith('.') ? join(dirname(path), from) : from.replace(/^#(src\/)?/, 'src/')

test('only the assembly and the adapters themselves import an adapter', () => {
  none(
    source
      .filter(
        ({ path }) =>
          !/^src\/(adapters\/.+|config\/config\.ts|program\/(apis|modes)\/.+)$/.test(path),
      )
      .flatMap(({ path, imports }) =>
        imports.filter((from) => from.startsWith('#adapters/')).map((from) => `${path} -> ${from}`),
      ),
  )
})

test('every folder of adapters has its settings and its adapter, and is registered', () => {
  const registered = readFileSync('src/adapters/registry.ts', 'utf8')
  const folders = globSync('src/adapters/*/').map((path) => path.split('/')[2] ?? '')
  none(
    folders.filter(
      (name) =>
        !['adapter', 'settings'].every((part) =>
          source.some(({ path }) => path === `src/adapters/${name}/${part}.ts`),
        ) || !registered.includes(`register(${name})`),
    ),
  )
})

/**
 * Files that may ask for the mode: configuration and assembly. Use cases read the profile (D-378).
 */
const OF_THE_MODE = [
  'src/config/config.ts',
  'src/config/key_wrapper.ts',
  'src/config/rules.ts',
  'src/program/documents.ts',
  'src/program/modes/load.ts',
  'src/program/program.ts',
  'src/program/welcome.ts',
]

test('only what is named here compares the mode: use cases read what a deployment permits', () => {
  const comparing = source
    .filter(({ text }) =>
      /[!=]==? '(sandbox|live)'|'(sandbox|live)' [!=]==?|case '(sandbox|live)'|\bctx\.mode\b/.test(
        text,
      ),
    )
    .map(({ path }) => path)
  assert.deepEqual(comparing, OF_THE_MODE)
})

/** Files that look for the tenant that their work is about (D-508), and see rows of all tenants. */
const OVER_ALL_TENANTS = [
  'src/callers/keys.ts',
  'src/callers/sessions.ts',
  'src/issuing/authorization/port/tenant_finder.ts',
  'src/issuing/card_orders/answers/store.ts',
  'src/issuing/networks/network_keys.ts',
  'src/issuing/products/store.ts',
  'src/issuing/verification/screening/store.ts',
  'src/issuing/verification/store.ts',
  'src/kit/http/callers/buckets.ts',
  'src/kit/http/callers/last_uses.ts',
  'src/kit/jobs/sweep_runner.ts',
  'src/kit/jobs/sweeper.ts',
  'src/merchant/merchants/tokens.ts',
  'src/portal/over_all_tenants.ts',
  'src/program/chores.ts',
  'src/program/moving_keys.ts',
  'src/program/operator_key.ts',
  'src/sandbox/seed/seed.ts',
]

test('only what is named here works over all tenants', () => {
  const wide = source
    .filter(({ text }) => /\.(overAllTenants|forOperator|forCaller)\(|ALL_TENANTS/.test(text))
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('src/kit/db/'))
  assert.deepEqual(wide, OVER_ALL_TENANTS)
})

test('no two files of src import each other, directly or by way of others', () => {
  const targets = new Map(source.map((file) => [file.path, importedBy(file)]))
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' -> '))
    if (done.has(path) || way.includes(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...way, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  none(circles)
})

/** The files of src that a file imports, by their paths from the root. */
function importedBy({ path, imports }: File): string[] {
  return imports.flatMap((from) => {
    if (from.startsWith('.')) return join(dirname(path), from)
    const [, name = '', rest] = /^#(\w+)\/(.+)$/.exec(from) ?? []
    if (rest === undefined || name === 'test') return []
    return name === 'src' ? `src/${rest}` : `src/${name}/${rest}`
  })
}

/** Words that this code base once had in a meaning of its own; docs/glossary.md has the terms. */
const OWN_WORDS =
  /\b(houses?|deeds?|told|rulings?|obeys?|papers|bells?|rung|whoever|fulfilment|front door|his|him)\b/i

test('the words are those of the glossary', () => {
  const documents = globSync(['*.md', 'docs/*.md', 'packages/*/*.md']).map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }))
  none(
    [...files, ...documents]
      .filter(({ path }) => path !== 'test/tidy.test.ts')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .map((line, at) => [OWN_WORDS.exec(line)?.[0], at + 1])
          .filter(([word]) => word !== undefined)
          .map(([word, line]) => `${path}:${line} ${word}`),
      ),
  )
})

/** Few are clear without a subject before these words. The number is lowered, never raised. */
const SENTENCES_WITHOUT_SUBJECT = 0
const WITHOUT_SUBJECT = /^(What|Who|Of|Where)\b.*[^?]$/
const CLAUSE_WITHOUT_SUBJECT = /^(what|who|of|where)\b.*[^?]$/i

/** The sentences and clauses of comments that begin with these words and are no questions. */
const withoutSubject = (text: string) =>
  sentencesOf(text).filter((sentence) =>
    (sentence.isClause ? CLAUSE_WITHOUT_SUBJECT : WITHOUT_SUBJECT).test(sentence.text),
  )

test('sentences of comments begin with their subject, not with What, Who, Of or Where', () => {
  assert.equal(withoutSubject('/** Of one test. A sum: what is left; who pays it. */').length, 3)
  assert.equal(withoutSubject('a()\n// Where none\n// was. The rest\n').length, 1)
  assert.equal(withoutSubject('/** What is it? The part\n * of which: a sum. */').length, 0)
  const written = globSync('{src,apps,packages,test,tools,bench,deploy,examples}/**/*.{ts,tsx}', {
    exclude: (path) => /(^|\/)(node_modules|dist|generated)$/.test(path),
  })
  assert.ok(written.length > 1000)
  const found = written
    .filter((path) => path !== 'src/kit/db/tables.ts')
    .flatMap((path) =>
      withoutSubject(readFileSync(path, 'utf8')).map(({ line, text }) => `${path}:${line} ${text}`),
    )
  assert.ok(
    found.length <= SENTENCES_WITHOUT_SUBJECT,
    `${found.length} sentences, allowed are ${SENTENCES_WITHOUT_SUBJECT}:\n${found.join('\n')}`,
  )
})

/** The verbs of docs/kit.md, and those of statements that do another thing. */
const STORE_VERBS =
  /^(find|list|lock|insert|update|upsert|delete|replace|is|has|count|claim|release|set|next|assert)[A-Z]/

test('the name of a store function begins with the verb of its statement', () => {
  const statement =
    /^export (?:async )?(?:function |const )(\w+)(?: = )?\(\s*(?:\w+|\{[^}]*\}): (?:Context|Tx|Db)\b/gm
  none(
    source
      .filter(({ path }) => /(\bstore|_store|\/claims|\/store\/\w+)\.ts$/.test(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(statement)]
          .map(([, name = '']) => name)
          .filter((name) => !STORE_VERBS.test(name))
          .map((name) => `${path}: ${name}`),
      ),
  )
})

const NAMES_VAULT = /\/(vault\/store|acquirer\/(store|audit))\.ts$/

test('only the vault names its database schema', () => {
  none(
    source
      .filter((file) => !isGenerated(file) && !NAMES_VAULT.test(file.path))
      .filter(({ text }) =>
        /['"`\s(](merchant_)?vault\.[a-z_]+['"`\s(]/.test(
          text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''),
        ),
      )
      .map(({ path }) => path),
  )
})

test('no file is longer than 400 lines or wider than 100 columns', () => {
  none(
    files
      .filter((file) => !isGenerated(file))
      .flatMap(({ path, text }) => {
        const lines = text.split('\n')
        // Regular expressions, and texts of tests and documents, cannot be broken.
        const wide = lines.findIndex((line) => line.length > 100 && !/^ *\/.*\/[a-z]*$/.test(line))
        const isText = path.endsWith('.test.ts') || path.startsWith('tools/pages/')
        if (wide >= 0 && !isText) return [`${path}:${wide + 1} is too wide`]
        return lines.length > 401 && !isTest({ path, text, imports: [] })
          ? [`${path} is too long`]
          : []
      }),
  )
})

/**
 * About twenty; the tests of a file are beside it and do not count, and neither does what is
 * generated with a file for each group of operations.
 */
const FILES_OF_A_FOLDER = 24

test('no folder has so many files that a reader does not see what they have in common', () => {
  const counts = new Map<string, number>()
  const isWritten = (path: string) => !/\.test\.ts$|\/generated\//.test(path)
  for (const { path } of files.filter((file) => isWritten(file.path))) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  }
  none([...counts].filter(([, count]) => count > FILES_OF_A_FOLDER).map(([folder]) => folder))
})

test('no function is longer than 60 lines', () => {
  none(
    [...source, ...library].flatMap(({ path, text }) => {
      const lines = text.split('\n')
      return lines.flatMap((line, at) => {
        const head = /^( *)(?:export )?(?:async )?function\*? (\w+)/.exec(line)
        if (!head) return []
        const end = lines.findIndex((later, index) => index > at && later === `${head[1]}}`)
        return end - at > 60 ? [`${path}: ${head[2]}`] : []
      })
    }),
  )
})

/**
 * Files that may ask the process's own clock: nothing of it decides on what is kept (D-350). Time
 * of messages on the wire, times of ids, waiting for a server of its own.
 */
const OWN_CLOCK = [
  'src/embedded_postgres/drafts.ts',
  'src/embedded_postgres/server.ts',
  'src/embedded_postgres/start_lock.ts',
  'src/issuing/authorization/port/session.ts',
  'src/kit/db/clock_skew.ts',
  'src/kit/db/migrations.ts',
  'src/lib/id.ts',
  'src/merchant/acquirer/connection.ts',
]

test('only what is named here asks the process for the time: the database’s clock decides', () => {
  const asking = source
    .filter(({ text }) => /\bnew Date\(\)|\bDate\.now\b/.test(text))
    .map(({ path }) => path)
  assert.deepEqual(asking, OWN_CLOCK)
})

test('only kit/clock.ts asks SQL for the time', () => {
  const clock =
    /\b(now\(\)|current_timestamp|current_date|(clock|statement|transaction)_timestamp\(\)|localtimestamp)/i
  none(
    source
      .filter(({ path }) => !/src\/(kit\/(db\/migrations|clock)|embedded_postgres\/)/.test(path))
      .filter(({ text }) =>
        clock.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/\w+\.now\(\)/g, '')),
      )
      .map(({ path }) => path),
  )
})

/**
 * Statements in which a clause that names the tenant has an `or` beside it, outside brackets: the
 * other half of it would be of any tenant. A fragment is taken as a clause, since it may be put
 * beside anything.
 */
function looseOrs(statement: string): string[] {
  const words = statement.match(/\(|\)|[\w.$]+|[^\s\w]/g) ?? []
  const isWhole = /\b(select|insert|update|delete|with)\b/i.test(statement)
  // Per bracket: the words of the clause so far; undefined if no condition has begun.
  const clauses: (string[] | undefined)[] = [isWhole ? undefined : ['tenant_id']]
  const found: string[] = []
  for (const word of words.map((one) => one.toLowerCase())) {
    const clause = clauses.at(-1)
    if (word === '(') clauses.push(undefined)
    else if (word === ')') clauses.pop()
    else if (['where', 'on', 'having'].includes(word)) clauses[clauses.length - 1] = []
    else if (
      ['select', 'set', 'order', 'group', 'returning', 'when', 'then', 'limit'].includes(word)
    ) {
      clauses[clauses.length - 1] = undefined
    } else if (word === 'or' && clause?.some((one) => /\btenant_id$/.test(one)))
      found.push(statement)
    else clause?.push(word)
  }
  return found
}

/** The text of every SQL template, with a bracketed word in the place of each value. */
const statementsIn = (text: string): string[] =>
  [...text.matchAll(/\bsql(?:<[^`]*?>)?`((?:[^`\\]|\\.)*)`/g)].map(([, body = '']) =>
    body.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '$$1'),
  )

test('no condition that names the tenant has an `or` outside brackets', () => {
  assert.equal(looseOrs('select 1 from a where tenant_id = $1 and (b) or (c)').length, 1)
  assert.equal(looseOrs('(b and c) or (d and e)').length, 1)
  assert.equal(looseOrs('select 1 from a where tenant_id = $1 and (b or c)').length, 0)
  assert.equal(looseOrs('((b and c) or (d and e))').length, 0)
  none(
    source.flatMap(({ path, text }) =>
      statementsIn(text)
        // The word alone joins conditions that brackets of its caller hold (kyc/search_store.ts).
        .filter((statement) => statement.trim() !== 'or')
        .flatMap(looseOrs)
        .map((statement) => `${path}: ${statement.replace(/\s+/g, ' ').slice(0, 120)}`),
    ),
  )
})

test('the client library imports its own files and standardwebhooks, so it runs everywhere', () => {
  assert.ok(library.length > 40)
  none(
    library.flatMap(({ path, imports }) =>
      imports
        .filter((from) => !from.startsWith('.') && from !== 'standardwebhooks')
        .map((from) => `${path} -> ${from}`),
    ),
  )
})

const console_files = globSync('apps/console/src/**/*.{ts,tsx,css}').map((path) => ({
  path,
  lines: readFileSync(path, 'utf8').split('\n'),
}))

test('the console calls the API by the client library, which one file of it does', () => {
  none(
    console_files
      // The viewer of PDFs reads bytes that the page has already.
      .filter(({ path }) => !/\/(api\/client|viewer\/pdf_worker)\.ts$/.test(path))
      .filter(({ lines }) => lines.some((line) => /\bfetch\(|core\/transport|openapi/.test(line)))
      .map(({ path }) => path),
  )
})

test('the console has colours from the tokens only, but for the theme that completes them', () => {
  none(
    console_files.flatMap(({ path, lines }) =>
      path.endsWith('/theme.ts')
        ? []
        : lines
            .filter((line) => /#(?:[0-9a-f]{3}){1,2}\b(?!')|\b(?:rgb|hsl|oklch)a?\(/i.test(line))
            .map((line) => `${path}: ${line.trim()}`),
    ),
  )
})

test('no file of the console is longer than 400 lines', () => {
  assert.ok(console_files.length > 200)
  none(console_files.filter(({ lines }) => lines.length > 400).map(({ path }) => path))
})

test('types are not given up: no any, no default export, no leftovers', () => {
  const forbidden: [name: string, pattern: RegExp][] = [
    ['any', /(?:: |<|\bas )any\b(?! \w)/],
    ['ts-ignore', /@ts-(ignore|expect-error|nocheck)/],
    ['default export', /^export default /m],
    ['leftover', /(\/\/|\*).*\b(TODO|FIXME|HACK)\b/],
    ['console', /\bconsole\.\w+\(/],
  ]
  none(
    [...source, ...library]
      .filter((file) => !isGenerated(file))
      .flatMap(({ path, text }) =>
        forbidden
          .filter(
            ([name, pattern]) =>
              pattern.test(text) && !(name === 'console' && path === 'src/main.ts'),
          )
          .map(([name]) => `${path}: ${name}`),
      ),
  )
})

/** Files with tests that a machine or a run cannot do, and the needs of each. */
const NEEDS: Readonly<Record<string, string>> = {
  'src/adapters/bureau/bureau.test.ts': 'sshd, which .ci/run installs, and root to mount a disk',
  'src/embedded_postgres/embedded_postgres.test.ts': 'root',
  'src/issuing/identifications/large.test.ts': 'the time of a deep run',
  'src/kit/db/partitions/partitions.test.ts': 'one server, no cluster',
  'src/program/mode.test.ts': 'one server, no cluster',
  'test/cli/pipes.test.ts': '/dev/full of Linux',
  'test/client/runtimes.test.ts': 'other runtimes, which .ci/run installs',
  'test/contract/partitions.test.ts': 'one server, no cluster',
  'test/deploy/release.test.ts': 'a commit',
  'test/reliability/bureau.test.ts': 'OpenSSH’s server',
  'test/reliability/private_addresses.test.ts': 'namespaces of Linux',
  'test/startup/network.test.ts': 'an address beside loopback',
  'test/startup/remedies.test.ts': 'one server, no cluster',
  'test/tenancy/timing.test.ts': 'the time of a deep run',
}
const SKIPS = /\b(?:test|describe|it|t)\.skip\(|[{,]\s*skip\s*[:}]|^\s*skip:/m

test('tests do not skip but for what a machine or a run lacks, and do not run alone', () => {
  for (const text of [
    "test.skip('a',",
    "test('a', { skip: true },",
    "t.skip('a')",
    '  skip: no,',
  ]) {
    assert.match(text, SKIPS)
  }
  const tests = files.filter((file) => isTest(file) && file.path !== 'test/tidy.test.ts')
  const skipping = tests.filter(({ text }) => SKIPS.test(text)).map(({ path }) => path)
  assert.deepEqual(skipping, Object.keys(NEEDS))
  none(
    tests
      .filter(({ text }) => /\b(test|describe|it)\.(only|todo|skip)\b|skip: true\b/.test(text))
      .map(({ path }) => path),
  )
})
