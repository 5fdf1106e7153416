/* The files of html/page as texts, made by cmake/page.cmake. */
#ifndef HOLONOM_HTML_HTML_ASSETS_H
#define HOLONOM_HTML_HTML_ASSETS_H

/* The style; scripts for figures, for molecules and for the page; licences. Figures and molecules are ""
 * if npm's packages were missing when the program was built. */
extern const char *const html_assets_style,
    *const html_assets_script, *const html_assets_figures, *const html_assets_figures_style,
                                                               *const html_assets_molecules,
                                                                   *const html_assets_licences;

#endif
