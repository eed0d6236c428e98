/** How long elements stay that disappear without an action of the user. No other timer has one of these delays. */

export const NOTICE_MS = 6_000;
export const ERROR_NOTICE_MS = 20_000;
/** A button that asks for confirmation resets after this time. */
export const CONFIRM_MS = 5_000;
