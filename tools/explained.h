/* What the pages of docs say, for softgt explain: made by scripts/embed-docs from the glossary and the
 * checklist. */
#ifndef TOOLS_EXPLAINED_H
#define TOOLS_EXPLAINED_H

/* A list ends with a NULL name. */
struct explained_term {
    const char *name, *text;
};
struct explained_item {
    const char *name, *status, *sources, *tests;
};
extern const struct explained_term explained_terms[]; /* of the glossary */
extern const struct explained_item explained_items[]; /* of the checklist: CSP-07 */
extern const struct explained_term explained_notes[]; /* on items of the checklist, by their names */

#endif
