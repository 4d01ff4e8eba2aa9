import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RATE_BURST, RATE_PER_SECOND } from '#callers/keys.ts'
import { faultOfEndpoint } from '#kit/net/fetch.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { checkSettings, DEFAULTS, mergeSettings } from './rules.ts'
import type { SettingsChange, StoredSettings } from './schema.ts'

const change = (
  stored: StoredSettings,
  requested: SettingsChange,
  asking: Partial<Parameters<typeof checkSettings>[2]> = {},
) =>
  checkSettings(stored, requested, {
    is_operator: true,
    profile: PROFILES.sandbox,
    faultOfEndpoint,
    ...asking,
  })

/** The stored settings after the change; the change must be allowed. */
const stored = (...input: Parameters<typeof change>) => {
  const result = change(...input)
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

const faultPaths = (...input: Parameters<typeof change>) => {
  const result = change(...input)
  assert.ok(!result.ok)
  return (result.errors ?? []).map(({ path }) => path)
}

describe('mergeSettings', () => {
  test('puts every default in the place of what was never set', () => {
    const settings = mergeSettings({}, PROFILES.sandbox)
    const ofAll = { tenant_rate_limit_per_second: 400, tenant_rate_limit_burst: 800 }
    const ofSandbox = { second_factor_required: false, stored_bytes_max: 2_000_000_000 }
    assert.deepEqual(settings, { ...DEFAULTS, ...ofAll, ...ofSandbox })
  })

  test('the keys of a tenant may send four times what one may, unless it is set', () => {
    const rates = (stored: object) => {
      const settings = mergeSettings(stored)
      return [settings.tenant_rate_limit_per_second, settings.tenant_rate_limit_burst]
    }
    assert.deepEqual(rates({ rate_limit_per_second: 10, rate_limit_burst: 30 }), [40, 120])
    assert.deepEqual(rates({ rate_limit_per_second: 10, tenant_rate_limit_burst: 7 }), [40, 7])
  })

  test('files have no quota in live until one is set', () => {
    assert.equal(mergeSettings({}, PROFILES.live).stored_bytes_max, undefined)
    assert.equal(mergeSettings({ stored_bytes_max: 5 }, PROFILES.live).stored_bytes_max, 5)
  })

  test('a second factor is required in live and where the tenant says so', () => {
    const required = (stored: object, mode: 'sandbox' | 'live') =>
      mergeSettings(stored, PROFILES[mode]).second_factor_required
    assert.deepEqual([required({}, 'sandbox'), required({}, 'live')], [false, true])
    assert.equal(required({ second_factor_required: true }, 'sandbox'), true)
    assert.equal(required({ second_factor_required: false }, 'live'), false)
  })

  test('names the rate that holds where nothing was set', () => {
    const { rate_limit_per_second, rate_limit_burst } = DEFAULTS
    assert.deepEqual([rate_limit_per_second, rate_limit_burst], [RATE_PER_SECOND, RATE_BURST])
  })

  test('private endpoints are reached in sandbox only, whatever was set', () => {
    assert.equal(mergeSettings({}, PROFILES.sandbox).allow_private_endpoints, true)
    assert.equal(mergeSettings({ allow_private_endpoints: true }).allow_private_endpoints, false)
    assert.equal(
      mergeSettings({ allow_private_endpoints: false }, PROFILES.sandbox).allow_private_endpoints,
      false,
    )
  })

  test('gives nested objects their defaults once they are set', () => {
    const { expired_idv_policy } = mergeSettings({
      expired_idv_policy: { days_prior_expiration: 10 },
    })
    assert.deepEqual(expired_idv_policy, {
      days_prior_expiration: 10,
      applicable_user_status: ['ACTIVE'],
    })
  })
})

describe('checkSettings', () => {
  test('stores only what was set, and does not change the others', () => {
    assert.deepEqual(stored({ hold_days: 3 }, { time_zone: 'Asia/Dubai' }), {
      hold_days: 3,
      time_zone: 'Asia/Dubai',
    })
  })

  test('null restores the default of a setting', () => {
    assert.deepEqual(stored({ hold_days: 3, atm_deposit: false }, { hold_days: null }), {
      atm_deposit: false,
    })
    assert.deepEqual(stored({ responder: { url: 'https://a.example/' } }, { responder: null }), {})
  })

  test('nested objects merge member by member, and null clears one member', () => {
    const before: StoredSettings = {
      expired_idv_policy: { days_prior_expiration: 9, applicable_user_status: ['ACTIVE'] },
    }
    const changed = (expired_idv_policy: NonNullable<SettingsChange['expired_idv_policy']>) =>
      stored(before, { expired_idv_policy }).expired_idv_policy
    assert.deepEqual(changed({ days_prior_expiration: 1 }), {
      days_prior_expiration: 1,
      applicable_user_status: ['ACTIVE'],
    })
    assert.deepEqual(changed({ days_prior_expiration: null }), {
      applicable_user_status: ['ACTIVE'],
    })
  })

  test('arrays are replaced', () => {
    const before: StoredSettings = { webhook_retry_seconds: [1, 2, 3] }
    assert.deepEqual(stored(before, { webhook_retry_seconds: [] }).webhook_retry_seconds, [])
  })

  test('stores countries once each and as alpha-3', () => {
    const requested = { allowed_issuing_countries: ['ae', 'ARE', 'GB'] }
    assert.deepEqual(stored({}, requested).allowed_issuing_countries, ['ARE', 'GBR'])
  })

  test('rejects every operator setting from a client and names them all', () => {
    const requested: SettingsChange = { pci_compliant: null, rate_limit_burst: 9, hold_days: 2 }
    const result = change({}, requested, { is_operator: false })
    assert.ok(!result.ok)
    assert.equal(result.code, 'permission_missing')
    assert.deepEqual(
      result.errors?.map(({ path }) => path),
      ['pci_compliant', 'rate_limit_burst'],
    )
  })

  const unsound: [name: string, requested: SettingsChange, paths: string[]][] = [
    ['consent that is false', { privacy_notices_read_consent_given: false },
      ['privacy_notices_read_consent_given']],
    ['a currency that does not exist', { default_currency: 'ABC' }, ['default_currency']],
    ['a metal as currency', { default_currency: 'XAU' }, ['default_currency']],
    ['a zone that does not exist', { time_zone: 'Mars/Olympus' }, ['time_zone']],
    ['an unknown country, by its place', { allowed_issuing_countries: ['AE', 'ZZZ'] },
      ['allowed_issuing_countries.1']],
    ['a responder without a URL', { responder: { timeout_ms: 500 } }, ['responder.url']],
    ['a responder at no URL', { responder: { url: 'a.example' } }, ['responder.url']],
    ['the removal of its URL alone', { responder: { url: null } }, ['responder.url']],
    ['several faults at once', { default_currency: 'ABC', time_zone: 'x' },
      ['default_currency', 'time_zone']],
  ] // biome-ignore format: one case a line or two reads best.
  for (const [name, requested, paths] of unsound) {
    test(`rejects ${name}`, () => assert.deepEqual(faultPaths({}, requested), paths))
  }

  test('another default currency is accepted', () => {
    assert.ok(change({}, { default_currency: 'USD' }).ok)
  })

  test('a responder keeps what is not sent, and its action is shown in capitals', () => {
    const url = 'http://127.0.0.1:9000/ask'
    const first = stored({}, { responder: { url, default_action: 'approve' } })
    assert.deepEqual(mergeSettings(first).responder, {
      url,
      timeout_ms: 2000,
      default_action: 'APPROVE',
    })
    const second = stored(first, { responder: { timeout_ms: 700, default_action: null } })
    assert.deepEqual(second, { responder: { url, timeout_ms: 700 } })
  })

  test('a listener takes the place of a URL, and a URL that of a listener', () => {
    const url = 'https://a.example/'
    const first = stored({}, { responder: { url, timeout_ms: 700 } })
    const second = stored(first, { responder: { listener: true } })
    assert.deepEqual(second, { responder: { listener: true, timeout_ms: 700 } })
    assert.deepEqual(mergeSettings(second).responder, {
      listener: true,
      timeout_ms: 700,
      default_action: 'DECLINE',
    })
    assert.deepEqual(stored(second, { responder: { url } }), first)
    assert.deepEqual(stored(first, { responder: { listener: false } }), first)
    assert.deepEqual(stored(second, { responder: { timeout_ms: null } }), {
      responder: { listener: true },
    })
    assert.deepEqual(faultPaths(second, { responder: { listener: false } }), ['responder.url'])
    const both = { url, listener: true }
    assert.deepEqual(faultPaths({}, { responder: both }), ['responder.listener'])
  })

  test('a listener is refused in live', () => {
    const live = { profile: PROFILES.live }
    const responder = { listener: true }
    assert.deepEqual(faultPaths({}, { responder }, live), ['responder.listener'])
  })

  test('a responder is https at a public address in live', () => {
    const live = { profile: PROFILES.live }
    for (const url of ['http://a.example/', 'https://127.0.0.1/', 'https://10.0.0.1/']) {
      assert.deepEqual(faultPaths({}, { responder: { url } }, live), ['responder.url'])
    }
    assert.ok(change({}, { responder: { url: 'https://a.example/' } }, live).ok)
  })

  test('live never opens private endpoints', () => {
    const requested = { allow_private_endpoints: true }
    assert.deepEqual(faultPaths({}, requested, { profile: PROFILES.live }), [
      'allow_private_endpoints',
    ])
    assert.ok(change({}, requested).ok)
  })
})
