/* The data of the page's script, and its content security policy. */
#pragma once

#include "render/chart/viewer/viewer.h"

/* JSON that may stand inside a <script>: it has no "<". */
void render_viewer_data(struct strbuf *out, const struct viewer_page *page);
/* 'sha256-...': allows a script or style with exactly this text. */
void render_viewer_allow(struct strbuf *out, struct span text);
