// Everything that acis-tblgen reads, and the prose of docs/isa.md.
include "Isa.td"
include "Base.td"
include "RVV.td"
include "Xacis.td"
include "Ops.td"
include "Config.td"
include "Manual.td"
