"""What scripts/gcn-figures makes: graphs, counts, simulated runs, and figures of them."""
