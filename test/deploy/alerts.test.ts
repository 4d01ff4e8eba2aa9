import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { registry } from '#kit/metrics.ts'
// Every slice registers its metrics.
import '#src/program/program.ts'

const RULES = readFileSync('deploy/prometheus/alerts.yml', 'utf8')
const DOCS = readFileSync('docs/alerts.md', 'utf8')
const DASHBOARD = readFileSync('deploy/grafana/bezant.json', 'utf8')

type Rule = { name: string; text: string; expr: string; runbook: string }

/** The rules of the file, which is written in one form only. */
const rules: Rule[] = RULES.split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({
    text,
    name: /^\w+/.exec(text)?.[0] ?? '',
    expr: /\n {8}expr: (?:>-\n)?(.*?)\n {8}\w/s.exec(text)?.[1]?.replace(/\s+/g, ' ').trim() ?? '',
    runbook: /\n {10}runbook: (.*)/.exec(text)?.[1] ?? '',
  }))

/** Labels that Prometheus adds, and `le`, which every histogram has. */
const ADDED = ['instance', 'job', 'le', 'alertname', 'alertstate', 'severity']
/** Series of Prometheus itself. */
const ITS_OWN = ['up', 'ALERTS']

const metricsByName = new Map(
  registry.getMetricsAsArray().flatMap((metric) => {
    // prom-client declares the names of labels for the inside of a metric only.
    const { labelNames = [] } = metric as { labelNames?: readonly string[] }
    const suffixes = String(metric.type) === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    return suffixes.map((suffix) => [`${metric.name}${suffix}`, labelNames] as const)
  }),
)

/** Every series of an expression with the labels that it is selected or grouped by. */
function faultsOf(expr: string): string[] {
  const names = [...expr.matchAll(/\b(bezant_\w+)(?:\{([^}]*)\})?/g)]
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  )
  if (names.length === 0 && !ITS_OWN.some((name) => expr.includes(`${name}{`))) {
    return ['it has no metric']
  }
  const known = new Set(ADDED)
  const faults = names.flatMap(([, name = '', selected = '']) => {
    const labels = metricsByName.get(name)
    if (!labels) return [`there is no ${name}`]
    for (const label of labels) known.add(label)
    return [...selected.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].flatMap(([, label = '']) =>
      labels.includes(label) || ADDED.includes(label) ? [] : [`${name} has no label ${label}`],
    )
  })
  const strange = grouped.filter((label) => !known.has(label))
  return [...faults, ...strange.map((label) => `no metric of it has the label ${label}`)]
}

test('an expression of a metric, or with a label, that does not exist is a fault', () => {
  assert.deepEqual(faultsOf('sum by (reason) (bezant_network_faults_total{reason="mti"}) > 0'), [])
  assert.deepEqual(faultsOf('rate(bezant_authorization_seconds_bucket[5m])'), [])
  assert.equal(faultsOf('bezant_authorization_seconds > 0').length, 1)
  assert.equal(faultsOf('bezant_network_faults_total{cause="mti"}').length, 1)
  assert.equal(faultsOf('sum by (queue) (bezant_network_faults_total)').length, 1)
  assert.equal(faultsOf('sum(other_total)').length, 1)
})

describe('the alerts', () => {
  test('each has an expression, a severity, a summary and its section as runbook', () => {
    assert.ok(rules.length > 30)
    for (const { name, text, expr, runbook } of rules) {
      assert.match(name, /^Bezant[A-Z]\w+$/)
      assert.notEqual(expr, '', name)
      assert.match(text, /\n {10}severity: (critical|warning|info)\n/, name)
      assert.match(text, /\n {10}summary: .{10,}\n/, name)
      assert.equal(runbook, `docs/alerts.md#${name.toLowerCase()}`)
    }
  })

  test('each asks for metrics and labels that the program has', () => {
    for (const { name, expr } of rules) assert.deepEqual(faultsOf(expr), [], name)
  })

  test('each has a section of the document, and each section an alert', () => {
    const sections = [...DOCS.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    assert.deepEqual(
      sections,
      rules.map(({ name }) => name),
    )
  })

  test('what the document says of metrics and alerts is of those that exist', () => {
    for (const [name] of DOCS.matchAll(/\bbezant_\w+/g)) {
      assert.ok(metricsByName.has(name) || metricsByName.has(`${name}_bucket`), name)
    }
    const named = rules.map(({ name }) => name)
    for (const [name] of DOCS.matchAll(/\bBezant[A-Z]\w+/g)) assert.ok(named.includes(name), name)
  })
})

describe('the dashboard', () => {
  type Panel = { title: string; type: string; targets?: { expr: string }[] }
  const { panels }: { panels: Panel[] } = JSON.parse(DASHBOARD)

  test('each panel asks for metrics and labels that the program has', () => {
    const charts = panels.filter(({ type }) => type !== 'row')
    assert.ok(charts.length > 30)
    for (const { title, targets = [] } of charts) {
      assert.notEqual(targets.length, 0, title)
      for (const { expr } of targets) assert.deepEqual(faultsOf(expr), [], `${title}: ${expr}`)
    }
  })

  test('every metric of the program’s own is on it', () => {
    const own = registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => !/^bezant_(nodejs|process)_/.test(name))
    const without = own.filter((name) => !DASHBOARD.includes(name))
    assert.deepEqual(without, ['bezant_job_interval_seconds'])
  })
})
