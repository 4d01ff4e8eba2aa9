/** Countries, MCCs and merchants that may be paid. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  AllowedCountries,
  AllowedMccs,
  AllowedMerchants,
  CreateAllowedCountryListBody,
  CreateAllowedMccListBody,
  CreateAllowedMerchantListBody,
  GetAllowedCountryListShadowQuery,
  GetAllowedMccListShadowQuery,
  GetAllowedMerchantListShadowQuery,
  ListAllowedCountryListsQuery,
  ListAllowedMccListsQuery,
  ListAllowedMerchantListsQuery,
  ShadowReport,
  UpdateAllowedCountryListBody,
  UpdateAllowedCountryListHeaders,
  UpdateAllowedMccListBody,
  UpdateAllowedMccListHeaders,
  UpdateAllowedMerchantListBody,
  UpdateAllowedMerchantListHeaders,
} from '../types.ts'

/** Countries, MCCs and merchants that may be paid. */
export class ListsGroup extends Group {
  /**
   * Create a list of countries.
   *
   * Creates a list of countries that card products and cards may name. With `allow` true only
   * payments in its countries pass, none if it is empty; with `allow` false they are declined: 1860
   * where the card product names the list, 1880 where the card does. Refunds, deposits and other
   * credits are not checked. A list is not deleted.
   *
   * Errors of its own: `id_taken`.
   *
   * `POST /allowedcountries`
   */
  createAllowedCountryList(
    body: CreateAllowedCountryListBody,
    options?: RequestOptions,
  ): Promise<AllowedCountries> {
    return this.transport.send('POST', '/allowedcountries', { body, keyed: true }, options)
  }

  /**
   * List the lists of countries.
   *
   * Lists the lists of countries of the tenant, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /allowedcountries`
   */
  listAllowedCountryLists(
    query?: ListAllowedCountryListsQuery,
    options?: RequestOptions,
  ): List<AllowedCountries> {
    return this.transport.list('GET', '/allowedcountries', { query }, options)
  }

  /**
   * Get a list of countries.
   *
   * Answers one list of countries.
   *
   * `GET /allowedcountries/{id}`
   */
  getAllowedCountryList(id: string, options?: RequestOptions): Promise<AllowedCountries> {
    return this.transport.send('GET', path`/allowedcountries/${id}`, {}, options)
  }

  /**
   * Update a list of countries.
   *
   * Changes the members that are sent; the array that is sent replaces the stored one. The change
   * applies to every authorization decided after it.
   *
   * `PUT /allowedcountries/{id}`
   */
  updateAllowedCountryList(
    id: string,
    body: UpdateAllowedCountryListBody,
    options?: RequestOptions & { headers?: UpdateAllowedCountryListHeaders },
  ): Promise<AllowedCountries> {
    return this.transport.send('PUT', path`/allowedcountries/${id}`, { body }, options)
  }

  /**
   * Create a list of MCCs.
   *
   * Creates a list of merchant category codes that card products and cards may name. With `allow`
   * true only payments under its codes pass, none if it is empty; with `allow` false they are
   * declined: 1859 where the card product names the list, 1879 where the card does. Refunds,
   * deposits and other credits are not checked. A list is not deleted.
   *
   * Errors of its own: `id_taken`.
   *
   * `POST /allowedmccs`
   */
  createAllowedMccList(
    body: CreateAllowedMccListBody,
    options?: RequestOptions,
  ): Promise<AllowedMccs> {
    return this.transport.send('POST', '/allowedmccs', { body, keyed: true }, options)
  }

  /**
   * List the lists of MCCs.
   *
   * Lists the lists of MCCs of the tenant, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /allowedmccs`
   */
  listAllowedMccLists(
    query?: ListAllowedMccListsQuery,
    options?: RequestOptions,
  ): List<AllowedMccs> {
    return this.transport.list('GET', '/allowedmccs', { query }, options)
  }

  /**
   * Get a list of MCCs.
   *
   * Answers one list of MCCs.
   *
   * `GET /allowedmccs/{id}`
   */
  getAllowedMccList(id: string, options?: RequestOptions): Promise<AllowedMccs> {
    return this.transport.send('GET', path`/allowedmccs/${id}`, {}, options)
  }

  /**
   * Update a list of MCCs.
   *
   * Changes the members that are sent; the array that is sent replaces the stored one. The change
   * applies to every authorization decided after it.
   *
   * `PUT /allowedmccs/{id}`
   */
  updateAllowedMccList(
    id: string,
    body: UpdateAllowedMccListBody,
    options?: RequestOptions & { headers?: UpdateAllowedMccListHeaders },
  ): Promise<AllowedMccs> {
    return this.transport.send('PUT', path`/allowedmccs/${id}`, { body }, options)
  }

  /**
   * Create a list of merchants.
   *
   * Creates a list of merchants that card products and cards may name. If one of them has `allow`
   * true, only such merchants pass; those with `allow` false are declined (1019). The list of the
   * card is used before that of the card product: if it names the merchant, the list of the product
   * is not used. An empty list checks nothing. Refunds, deposits and other credits are not checked.
   * A list is not deleted.
   *
   * Errors of its own: `id_taken`.
   *
   * `POST /allowedmerchants`
   */
  createAllowedMerchantList(
    body: CreateAllowedMerchantListBody,
    options?: RequestOptions,
  ): Promise<AllowedMerchants> {
    return this.transport.send('POST', '/allowedmerchants', { body, keyed: true }, options)
  }

  /**
   * List the lists of merchants.
   *
   * Lists the lists of merchants of the tenant, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /allowedmerchants`
   */
  listAllowedMerchantLists(
    query?: ListAllowedMerchantListsQuery,
    options?: RequestOptions,
  ): List<AllowedMerchants> {
    return this.transport.list('GET', '/allowedmerchants', { query }, options)
  }

  /**
   * Get a list of merchants.
   *
   * Answers one list of merchants.
   *
   * `GET /allowedmerchants/{id}`
   */
  getAllowedMerchantList(id: string, options?: RequestOptions): Promise<AllowedMerchants> {
    return this.transport.send('GET', path`/allowedmerchants/${id}`, {}, options)
  }

  /**
   * Update a list of merchants.
   *
   * Changes the members that are sent; the array that is sent replaces the stored one. The change
   * applies to every authorization decided after it.
   *
   * `PUT /allowedmerchants/{id}`
   */
  updateAllowedMerchantList(
    id: string,
    body: UpdateAllowedMerchantListBody,
    options?: RequestOptions & { headers?: UpdateAllowedMerchantListHeaders },
  ): Promise<AllowedMerchants> {
    return this.transport.send('PUT', path`/allowedmerchants/${id}`, { body }, options)
  }

  /**
   * Get shadow report of a list of countries.
   *
   * Answers what the list of countries would have declined while its mode was SHADOW: sums by code
   * and by day in the tenant’s time zone, and the newest approved transactions. Advices are not
   * counted.
   *
   * `GET /allowedcountries/{id}:shadow`
   */
  getAllowedCountryListShadow(
    id: string,
    query?: GetAllowedCountryListShadowQuery,
    options?: RequestOptions,
  ): Promise<ShadowReport> {
    return this.transport.send('GET', path`/allowedcountries/${id}:shadow`, { query }, options)
  }

  /**
   * Get shadow report of a list of MCCs.
   *
   * Answers what the list of MCCs would have declined while its mode was SHADOW: sums by code and by
   * day in the tenant’s time zone, and the newest approved transactions. Advices are not counted.
   *
   * `GET /allowedmccs/{id}:shadow`
   */
  getAllowedMccListShadow(
    id: string,
    query?: GetAllowedMccListShadowQuery,
    options?: RequestOptions,
  ): Promise<ShadowReport> {
    return this.transport.send('GET', path`/allowedmccs/${id}:shadow`, { query }, options)
  }

  /**
   * Get shadow report of a list of merchants.
   *
   * Answers what the list of merchants would have declined while its mode was SHADOW: sums by code
   * and by day in the tenant’s time zone, and the newest approved transactions. Advices are not
   * counted.
   *
   * `GET /allowedmerchants/{id}:shadow`
   */
  getAllowedMerchantListShadow(
    id: string,
    query?: GetAllowedMerchantListShadowQuery,
    options?: RequestOptions,
  ): Promise<ShadowReport> {
    return this.transport.send('GET', path`/allowedmerchants/${id}:shadow`, { query }, options)
  }
}
