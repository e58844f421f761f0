// Roles, from the one that may least.

const ROLES = ["viewer", "regular", "subscriber", "vip", "moderator", "broadcaster"];

/** Whether a role reaches another. */
export const reaches = (role, least) => ROLES.indexOf(role) >= ROLES.indexOf(least);

/** Whether a role may work at the desk. */
export const keeps = (role) => reaches(role, "moderator");

export const EVERY_ROLE = ROLES;
