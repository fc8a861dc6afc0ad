/** Bounds of pages. Used by the handlers, and told in the assumptions. */
export const paging = { firstPage: 1, defaultSize: 25, largestSize: 1000 } as const;

/** How the sandbox refuses credentials in results that have an envelope. */
export const invalidCredentials = { number: 401, code: 'InvalidCredentials' } as const;

/** Numbers and codes of refusals. Each operation says them the way it says failures (see "How operations refuse"). */
export const notFound = { number: 404, code: 'NotFound' } as const;
/** A user that is not there. */
export const unknownUser = { number: 404, code: 'UnknownUser' } as const;
/** A period or a follow-up that ends before it begins. */
export const badPeriod = { number: 400, code: 'InvalidPeriod' } as const;
/** A field value that cannot be written or searched for. */
export const invalidField = { number: 400, code: 'InvalidField' } as const;
/** A file without a name, or whose content is not base64. */
export const invalidFile = { number: 400, code: 'InvalidFile' } as const;
/** A product whose unit does not exist. */
export const invalidProduct = { number: 400, code: 'InvalidProduct' } as const;
/** A line for a period on an activity that is no subscription. */
export const notASubscription = { number: 400, code: 'NotASubscription' } as const;
