/**
 * No delivery reaches a private address (D-65): canaries listen on every address of a machine of
 * its own, a network namespace, which the program calls with the guard and then without it.
 */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, test } from 'node:test'
import type { Report } from '#test/support/processes/canary_namespace.ts'
import { privateEndpoints } from '#test/support/services/private_endpoints.ts'

const LONGEST_MS = 120_000
/** No TCP connection to them can be opened: multicast, broadcast, an interface that is not named. */
const UNREACHABLE = /\/\/(224\.0\.0\.1|255\.255\.255\.255|\[ff02::1\]|\[fe80::1\])\//
/** Names that lead to a public address, in part or wholly. */
const PUBLIC = ['public.example', 'public-chain.example', 'both.example']
const isPublic = (target: string) => PUBLIC.includes(new URL(target).hostname)
const PUBLIC_HIT = '9.9.9.9 80'

/** A user who is not root may have one where the system lets it be root in a namespace. */
const ways = [
  ['--net', '--mount'],
  ['--map-root-user', '--net', '--mount'],
]
const way = ways.find((words) => {
  const steps = 'ip link set lo up && mount --bind /etc/hosts /etc/hosts'
  return spawnSync('unshare', [...words, 'sh', '-c', steps]).status === 0
})
const isReachable = /[?&]host=%2F/i.test(process.env['TEST_SERVER_URL'] ?? '')
const reason = way ? 'the database is not on a Unix socket' : 'this machine forbids namespaces'
const skip = way && isReachable ? false : reason

function run(): Report {
  const program = [process.execPath, 'test/support/processes/canary_namespace.ts']
  const options = { encoding: 'utf8', timeout: LONGEST_MS } as const
  const { status, stdout, stderr } = spawnSync('unshare', [...(way ?? []), ...program], options)
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

describe('in a machine whose every address is a canary', { skip }, () => {
  const report: Report | undefined = skip === false ? run() : undefined
  const given = () => report ?? assert.fail()

  test('each private endpoint is rejected at its registration', () => {
    assert.deepEqual(given().registered, [])
    assert.ok(privateEndpoints.length > 70)
  })

  test('no delivery with the guard connects to a private address', () => {
    const { targets, guarded, guarded_hits } = given()
    assert.ok(targets.length > 60, `${targets.length} targets`)
    for (const target of targets) {
      assert.equal(guarded[target], isPublic(target) ? 'DELIVERED' : 'address refused', target)
    }
    assert.deepEqual(guarded_hits, Array(PUBLIC.length).fill(PUBLIC_HIT))
  })

  test('control: without the guard the same deliveries hit the canaries', () => {
    const { targets, control, has_ipv6 } = given()
    const missed = targets.filter((target) => !control[target])
    const unexpected = missed.filter(
      (target) => !UNREACHABLE.test(target) && (has_ipv6 || !target.includes('[')),
    )
    assert.deepEqual(unexpected, [])
  })

  test('a name whose address flips at each look is called at its public one alone', () => {
    const { delivered, refused, hits, control_hits } = given().flips
    assert.ok(delivered > 0 && refused > 0, `${delivered} and ${refused}`)
    assert.deepEqual(new Set(hits), new Set([PUBLIC_HIT]))
    assert.ok(control_hits.some((hit) => hit !== PUBLIC_HIT))
  })
})
