import { scalar } from './build.js';

/** GUID text. Kept as text: upper and lower case survive. */
export const guid = scalar('guid');
/** Text, kept to the character. */
export const string = scalar('string');
/** 32-bit integer; a number in our records. */
export const int = scalar('int');
/** 16-bit integer; a number in our records. */
export const short = scalar('short');
/** 64-bit integer; kept as text, because a double cannot hold it. */
export const long = scalar('long');
/** XML Schema decimal; kept as text with every digit and its scale. */
export const decimal = scalar('decimal');
/** XML Schema dateTime; kept as text with its zone or lack of one. */
export const dateTime = scalar('dateTime');
/** true or false. */
export const boolean = scalar('boolean');
/** Untyped content, decoded by its xsi:type when it has one. */
export const anyType = scalar('anyType');
