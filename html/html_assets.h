/* What html/page holds, as texts: made by cmake/page.cmake. */
#ifndef HOLONOM_HTML_HTML_ASSETS_H
#define HOLONOM_HTML_HTML_ASSETS_H

/* The style; scripts: figures, molecules, the page's own; the licences of all. Figures and molecules are ""
 * where npm's packages were not there when the program was built. */
extern const char *const html_assets_style,
    *const html_assets_script, *const html_assets_figures, *const html_assets_figures_style,
                                                               *const html_assets_molecules,
                                                                   *const html_assets_licences;

#endif
