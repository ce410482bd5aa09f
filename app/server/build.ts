declare const BUILD_TIME: string;
declare const BUILD_VERSION: string;

/** The time of the commit that this program was built from. */
export const builtAt = new Date(BUILD_TIME);

/** The version, such as 2.0.0, or 2.0.0~git20261124015354.cacf39b for a build that is no release. */
export const buildVersion = BUILD_VERSION;
