/** Settings of the calling tenant. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type {
  ResponderSecret,
  TenantSettings,
  UpdateSettingsBody,
  UpdateSettingsHeaders,
  Usage,
} from '../types.ts'

/** Settings of the calling tenant. */
export class SettingsGroup extends Group {
  /**
   * Get the settings of the tenant.
   *
   * Returns every setting that applies to the tenant of the API key, with the default in place of a
   * setting that was never set.
   *
   * `GET /tenantsettings`
   */
  get(options?: RequestOptions): Promise<TenantSettings> {
    return this.transport.send('GET', '/tenantsettings', {}, options)
  }

  /**
   * Update the settings of the tenant.
   *
   * Changes only the settings that are sent; null restores the default, objects merge member by
   * member, and lists are replaced. Settings that only the operator may change fail with
   * `permission_missing`, and so does `second_factor_required`, except in a session of an owner.
   * Answers all settings; if a responder is set for the first time, with its signing secret, which
   * no later answer contains.
   *
   * `PUT /tenantsettings`
   */
  update(
    body: UpdateSettingsBody,
    options?: RequestOptions & { headers?: UpdateSettingsHeaders },
  ): Promise<TenantSettings> {
    return this.transport.send('PUT', '/tenantsettings', { body }, options)
  }

  /**
   * Rotate the secret of the responder.
   *
   * Creates a new signing secret of the responder and returns it; no later answer contains it. For
   * 24 hours each question is signed with the new and the previous secret. The secret may be created
   * before the responder is set.
   *
   * `POST /tenantsettings/responder:rotateSecret`
   */
  rotateResponderSecret(options?: RequestOptions): Promise<ResponderSecret> {
    return this.transport.send(
      'POST',
      '/tenantsettings/responder:rotateSecret',
      { keyed: true },
      options,
    )
  }

  /**
   * Get the usage of the tenant.
   *
   * Returns how much of its quotas the tenant of the API key uses. The quotas are settings that the
   * operator changes.
   *
   * `GET /tenantsettings/usage`
   */
  getUsage(options?: RequestOptions): Promise<Usage> {
    return this.transport.send('GET', '/tenantsettings/usage', {}, options)
  }
}
